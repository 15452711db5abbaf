//! Options for reading a typed document.

use crate::schema::Schema;
use crate::source::ExternalSchemas;
use elf_tagged::Options;
use std::fmt;
use std::sync::Arc;

/// Options for reading a typed document.
#[derive(Clone)]
#[non_exhaustive]
pub struct ReadOptions<'e> {
    /// Options for the bytes.
    pub octets: Options,
    /// The schema to use instead of that of the file.
    pub schema: Option<Arc<Schema>>,
    /// The schema for types that the file does not define, instead of the built-in schema of its rules. Files that
    /// are read with the same one can be compared, whatever their drafts.
    pub common: Option<Arc<Schema>>,
    /// Definitions that are added to the schema, with precedence over its own.
    pub additions: Option<Arc<Schema>>,
    /// Whether the dictionary of vendor tags types tags that neither the file nor the completed schema defines.
    pub vendor_tags: bool,
    /// The source of external schemas.
    pub external: &'e dyn ExternalSchemas,
    /// Whether dates, ages and times are checked (E06).
    pub check_values: bool,
    /// Whether unknown tags are reported (E0415).
    pub check_tags: bool,
    /// Whether every structure with an unknown tag is reported (E0415), instead of the first one with this tag under
    /// each type.
    pub each_undefined: bool,
}

impl Default for ReadOptions<'_> {
    fn default() -> Self {
        ReadOptions {
            octets: Options::default(),
            schema: None,
            common: None,
            additions: None,
            vendor_tags: false,
            external: &(),
            check_values: false,
            check_tags: true,
            each_undefined: false,
        }
    }
}

impl<'e> ReadOptions<'e> {
    /// Sets the options for the bytes.
    #[must_use]
    pub const fn with_octets(mut self, octets: Options) -> ReadOptions<'e> {
        self.octets = octets;
        self
    }

    /// Sets the schema to use instead of that of the file.
    #[must_use]
    pub fn with_schema(mut self, schema: Option<Arc<Schema>>) -> ReadOptions<'e> {
        self.schema = schema;
        self
    }

    /// Sets the schema for types that the file does not define.
    #[must_use]
    pub fn with_common(mut self, common: Option<Arc<Schema>>) -> ReadOptions<'e> {
        self.common = common;
        self
    }

    /// Sets definitions that are added to the schema, with precedence over its own.
    #[must_use]
    pub fn with_additions(mut self, additions: Option<Arc<Schema>>) -> ReadOptions<'e> {
        self.additions = additions;
        self
    }

    /// Sets whether the dictionary of [vendor tags](crate::vendors) gives types to tags that neither the file nor the
    /// completed schema defines. It applies only if no schema is set, and under rules whose built-in schema is the
    /// completed one.
    #[must_use]
    pub const fn with_vendor_tags(mut self, vendor_tags: bool) -> ReadOptions<'e> {
        self.vendor_tags = vendor_tags;
        self
    }

    /// Sets whether dates, ages and times are checked. Invalid and impossible ones are then reported (E06).
    ///
    /// ```
    /// use elf_schema::{Diagnostic, ReadOptions, Rules, codes, read};
    ///
    /// let octets = b"0 HEAD\n1 CHAR UTF-8\n0 INDI\n1 BIRT\n2 DATE 31 FEB 1900\n0 TRLR\n";
    /// let mut found: Vec<Diagnostic> = Vec::new();
    /// read(octets, &Rules::WILD, &ReadOptions::default().with_check_values(true), &mut found)?;
    /// let found = found.iter().find(|found| found.code == codes::DATE_IMPOSSIBLE).expect("a finding");
    /// assert_eq!(found.place.map(|place| (place.line, place.column)), Some((5, 8)));
    /// # Ok::<(), elf_schema::TooLarge>(())
    /// ```
    #[must_use]
    pub const fn with_check_values(mut self, check_values: bool) -> ReadOptions<'e> {
        self.check_values = check_values;
        self
    }

    /// Sets whether unknown tags are reported (E0415). Default: true. Set it to false if you validate the document
    /// against a standard that reports unknown tags itself.
    #[must_use]
    pub const fn with_check_tags(mut self, check_tags: bool) -> ReadOptions<'e> {
        self.check_tags = check_tags;
        self
    }

    /// Sets whether every structure with an unknown tag is reported (E0415). Otherwise only the first one with this
    /// tag under each type is reported, with the number of occurrences.
    ///
    /// ```
    /// use elf_schema::{Diagnostic, ReadOptions, Rules, read};
    ///
    /// let octets = b"0 HEAD\n1 CHAR UTF-8\n0 INDI\n1 BIRT\n2 QUAY 1\n0 INDI\n1 BIRT\n2 QUAY 3\n0 TRLR\n";
    /// let places = |each| {
    ///     let mut found: Vec<Diagnostic> = Vec::new();
    ///     read(octets, &Rules::WILD, &ReadOptions::default().with_each_undefined(each), &mut found)?;
    ///     let place = |found: &Diagnostic| (found.place.map(|at| at.line), found.count.map(|count| count.get()));
    ///     Ok::<_, elf_schema::TooLarge>(found.iter().map(place).collect::<Vec<_>>())
    /// };
    /// assert_eq!(places(false)?, [(Some(5), Some(2))]);
    /// assert_eq!(places(true)?, [(Some(5), None), (Some(8), None)]);
    /// # Ok::<(), elf_schema::TooLarge>(())
    /// ```
    #[must_use]
    pub const fn with_each_undefined(mut self, each_undefined: bool) -> ReadOptions<'e> {
        self.each_undefined = each_undefined;
        self
    }

    /// Sets the source of external schemas.
    #[must_use]
    pub const fn with_external(mut self, external: &'e dyn ExternalSchemas) -> ReadOptions<'e> {
        self.external = external;
        self
    }
}

impl fmt::Debug for ReadOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReadOptions {
            octets,
            schema,
            common: _,
            additions: _,
            vendor_tags,
            external: _,
            check_values,
            check_tags,
            each_undefined,
        } = self;
        let types = schema.as_ref().map(|schema| schema.len());
        f.debug_struct("ReadOptions")
            .field("octets", octets)
            .field("types", &types)
            .field("vendor_tags", vendor_tags)
            .field("check_values", check_values)
            .field("check_tags", check_tags)
            .field("each_undefined", each_undefined)
            .finish_non_exhaustive()
    }
}
