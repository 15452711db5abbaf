//! Extension tags that are not structures: calendars, months and values (GEDCOM 7.0 *Extension Tags*).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The extension tags to which a header gives URIs of calendars, months and values. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct ExtensionNames(Arc<HashMap<Box<str>, HashSet<Box<str>>>>);

impl ExtensionNames {
    /// Returns whether the header gives this URI to an extension tag.
    ///
    /// ```
    /// use elf_schema::{ReadOptions, Rules};
    ///
    /// let may = "https://gedcom.io/terms/v7/month-MAY";
    /// let file = format!("0 HEAD\n1 GEDC\n2 VERS 7.0\n1 SCHMA\n2 TAG _MAI {may}\n0 TRLR\n");
    /// let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())?;
    /// assert!(typed.schema().extension_names().stands_for("_MAI", may));
    /// # Ok::<(), elf_schema::TooLarge>(())
    /// ```
    pub fn stands_for(&self, tag: &str, uri: &str) -> bool {
        self.0.get(tag).is_some_and(|uris| uris.contains(uri))
    }

    pub(crate) fn add(&mut self, tag: &str, uri: &str) {
        Arc::make_mut(&mut self.0).entry(tag.into()).or_default().insert(uri.into());
    }
}
