//! What a caller may choose about the reading of a typed document.

use crate::schema::Schema;
use crate::source::ExternalSchemas;
use elf_tagged::Options;
use std::fmt;
use std::sync::Arc;

/// Options of the caller about the reading of a typed document.
#[derive(Clone)]
#[non_exhaustive]
pub struct ReadOptions<'e> {
    /// About its octets.
    pub octets: Options,
    /// The schema in force, whatever the file brings.
    pub schema: Option<Arc<Schema>>,
    /// The schema for what the definitions of the file leave open, instead of the built-in one of its rules:
    /// files that are read with one such schema can be compared, whatever their drafts.
    pub common: Option<Arc<Schema>>,
    /// Definitions that are added to the schema in force, and precede its own.
    pub additions: Option<Arc<Schema>>,
    /// True if the dictionary of vendor tags types what the file and the completed schema leave open.
    pub vendor_tags: bool,
    /// External schemas that are at hand.
    pub external: &'e dyn ExternalSchemas,
    /// True if payloads are held against the datatypes of their types, E06: dates, ages and times.
    pub check_values: bool,
    /// True if tags that have no type where they stand are reported, E0415.
    pub check_tags: bool,
    /// True if each structure whose tag has no type where it stands is reported by itself, E0415, instead of
    /// the first of its tag beneath a type.
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
    /// Sets what is known about the octets.
    #[must_use]
    pub const fn with_octets(mut self, octets: Options) -> ReadOptions<'e> {
        self.octets = octets;
        self
    }

    /// Sets a schema in force, whatever the file brings.
    #[must_use]
    pub fn with_schema(mut self, schema: Option<Arc<Schema>>) -> ReadOptions<'e> {
        self.schema = schema;
        self
    }

    /// Sets a schema for what the definitions of the file leave open.
    #[must_use]
    pub fn with_common(mut self, common: Option<Arc<Schema>>) -> ReadOptions<'e> {
        self.common = common;
        self
    }

    /// Sets definitions that are added to the schema in force, and precede its own.
    #[must_use]
    pub fn with_additions(mut self, additions: Option<Arc<Schema>>) -> ReadOptions<'e> {
        self.additions = additions;
        self
    }

    /// Sets whether the dictionary of [vendor tags](crate::vendors) types what the definitions of the file and the
    /// completed schema leave open. It applies by rules whose built-in schema is the completed one, and if no schema
    /// is set.
    #[must_use]
    pub const fn with_vendor_tags(mut self, vendor_tags: bool) -> ReadOptions<'e> {
        self.vendor_tags = vendor_tags;
        self
    }

    /// Sets whether payloads are held against the datatypes of their types: then dates, ages and times that
    /// are outside their grammar or impossible are reported, E06.
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

    /// Sets whether tags that have no type where they stand are reported, E0415, as is so where nothing else
    /// is set. Who holds the document against a standard that tells structures apart by their tags has them
    /// from there.
    #[must_use]
    pub const fn with_check_tags(mut self, check_tags: bool) -> ReadOptions<'e> {
        self.check_tags = check_tags;
        self
    }

    /// Sets whether each structure whose tag has no type where it stands is reported by itself, E0415; else
    /// the first of its tag beneath a type is, with how many there are.
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

    /// Sets external schemas that are at hand.
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
