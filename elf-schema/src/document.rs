//! Octets to a typed document: all layers in a straight line.

use crate::schema::{Schema, TypeId};
use crate::source::ExternalSchemas;
use crate::undefined::UndefinedTags;
use crate::{Dictionary, Resolver, Typing, extensions};
use elf_base::{Rules, Sink};
use elf_tagged::{Document, Node, Options, Records, TooLarge, read_with};
use elf_values::{Datatype, Value};
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
        let ReadOptions { octets, schema, common: _, external: _, check_values, check_tags, each_undefined } =
            self;
        let types = schema.as_ref().map(|schema| schema.len());
        f.debug_struct("ReadOptions")
            .field("octets", octets)
            .field("types", &types)
            .field("check_values", check_values)
            .field("check_tags", check_tags)
            .field("each_undefined", each_undefined)
            .finish_non_exhaustive()
    }
}

/// A document with the types of its structures.
#[derive(Debug)]
pub struct TypedDocument<'o> {
    document: Document<'o>,
    typing: Typing,
}

/// Reads a whole document by `rules` and types its structures.
///
/// Content never fails: what is wrong goes to `sink`.
///
/// # Errors
///
/// [`TooLarge`] where the text is longer than 4 GiB.
///
/// ```
/// use elf_schema::{ReadOptions, Rules, vocabulary::elf};
///
/// let octets = b"0 HEAD\n0 @I1@ INDI\n1 BIRT\n2 DATE 20 JUN 1881\n0 TRLR\n";
/// let typed = elf_schema::read(octets, &Rules::JANUARY_2019, &ReadOptions::default(), &mut ())?;
/// let date = typed.of_type(elf::DATE_VALUE).next().expect("a date");
/// assert_eq!(date.text(), "20 JUN 1881");
/// // Subtypes count: a birth is beneath elf:Event.
/// assert_eq!(typed.of_type(elf::EVENT).count(), 1);
/// # Ok::<(), elf_schema::TooLarge>(())
/// ```
pub fn read<'o>(
    octets: &'o [u8],
    rules: &Rules,
    options: &ReadOptions<'_>,
    sink: &mut dyn Sink,
) -> Result<TypedDocument<'o>, TooLarge> {
    let document = read_with(octets, rules, &options.octets, options, sink)?;
    Ok(read_document(document, options, sink))
}

/// Types the structures of a document that is read already, by the rules it was read by.
///
/// Its payloads stay what they were read as: whoever reads it gives the same options as what says which
/// escapes its tags keep, as in [`elf_tagged::read_with`].
pub fn read_document<'o>(
    document: Document<'o>,
    options: &ReadOptions<'_>,
    sink: &mut dyn Sink,
) -> TypedDocument<'o> {
    let resolver = resolver(&document, options, sink);
    let finder = UndefinedTags::by_options(&resolver, options);
    let typing = Typing::find(&document, resolver, finder, sink);
    if options.check_values {
        typing.report_values(&document, sink);
    }
    TypedDocument { document, typing }
}

/// Makes the resolver of the types of a document: by the schema the caller names, else the one the document
/// brings, else the default one of its rules; or the common one, for what its own definitions leave open.
pub(crate) fn resolver(document: &Document<'_>, options: &ReadOptions<'_>, sink: &mut dyn Sink) -> Resolver {
    let in_force = resolver_in_force(document, options, sink);
    match &options.common {
        Some(common) => in_force.over(common),
        None => in_force,
    }
}

fn resolver_in_force(document: &Document<'_>, options: &ReadOptions<'_>, sink: &mut dyn Sink) -> Resolver {
    let rules = document.rules();
    if rules.schema.mechanism.is_of_extension_tags() {
        let standard = options.schema.as_ref().or_else(|| Schema::default_of(rules));
        let standard = standard.cloned().unwrap_or_else(|| Arc::new(Schema::empty()));
        return Resolver::new(extensions::over(&standard, document, sink));
    }
    if let Some(schema) = &options.schema {
        return Resolver::new(Arc::clone(schema));
    }
    if rules.schema.mechanism.is_dictionary() {
        return Resolver::of_dictionary(Arc::new(Dictionary::of_document(document, sink)));
    }
    if let Some(schema) = Schema::of_document(document, options.external, sink) {
        return Resolver::new(Arc::new(schema));
    }
    Resolver::new(match Schema::default_of(rules) {
        Some(schema) => Arc::clone(schema),
        None => Arc::new(Schema::empty()),
    })
}

impl<'o> TypedDocument<'o> {
    /// Reads a document by the rules `wild`, as files are found, without its findings;
    /// [`read`](crate::read()) takes rules, options and a sink.
    ///
    /// # Errors
    ///
    /// [`TooLarge`] where the text is longer than 4 GiB.
    ///
    /// ```
    /// use elf_schema::{TypedDocument, vocabulary::elf};
    ///
    /// let typed = TypedDocument::parse(b"0 HEAD\n0 @I1@ INDI\n1 BIRT\n2 DATE 1815\n1 DEAT\n0 TRLR\n")?;
    /// assert_eq!(typed.of_type(elf::EVENT).count(), 2);
    /// # Ok::<(), elf_schema::TooLarge>(())
    /// ```
    pub fn parse(octets: &'o [u8]) -> Result<TypedDocument<'o>, TooLarge> {
        read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())
    }

    /// The document, with its tags as they stand in the file.
    pub const fn document(&self) -> &Document<'o> {
        &self.document
    }

    /// The types of its structures.
    pub const fn typing(&self) -> &Typing {
        &self.typing
    }

    /// The schema in force.
    pub const fn schema(&self) -> &Arc<Schema> {
        self.typing.schema()
    }

    /// The IRI of the type of a structure of this document; `None` for one of another document.
    pub fn type_of(&self, node: Node<'_>) -> Option<&str> {
        self.typing.iri(self.type_id(node)?)
    }

    /// The number of the type of a structure of this document; `None` for one of another document.
    pub fn type_id(&self, node: Node<'_>) -> Option<TypeId> {
        self.typing.type_id(node)
    }

    /// The datatype of the payload of a structure of this document by its type; see [`Schema::datatype`]. All
    /// payloads of a document that is read as GEDCOM 7, which has other grammars, are text, and so are those
    /// of another document, whose types are not known here.
    pub fn datatype(&self, node: Node<'_>) -> Datatype {
        self.typing.datatype(node)
    }

    /// The value of the payload of a structure of this document, by its datatype; `None` where there is no
    /// payload, or it is a pointer, or the structure is one of another document. A payload outside the
    /// grammar of its datatype is text.
    ///
    /// Nothing is allocated for a payload of one line without doubled at signs and needless whitespace.
    ///
    /// ```
    /// use elf_schema::{ReadOptions, Rules, Value};
    ///
    /// let octets = b"0 HEAD\n0 INDI\n1 DEAT\n2 AGE 52y\n2 DATE Abt 1852\n0 TRLR\n";
    /// let typed = elf_schema::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
    /// let death = typed.records().next().and_then(|person| person.substructure("DEAT")).expect("a death");
    /// let value = |tag| death.substructure(tag).and_then(|node| typed.value(node));
    /// assert!(matches!(value("AGE"), Some(Value::Age(age)) if age.to_string() == "52y"));
    /// assert_eq!(value("DATE"), Some(Value::Text("Abt 1852".into())));
    /// # Ok::<(), elf_schema::TooLarge>(())
    /// ```
    pub fn value<'d>(&self, node: Node<'d>) -> Option<Value<'d>> {
        self.typing.value(node)
    }

    /// The metadata: what the header holds but serialisation metadata.
    pub fn metadata(&self) -> impl Iterator<Item = Node<'_>> {
        self.document.metadata()
    }

    /// The records, in the order of the file.
    pub fn records(&self) -> Records<'_> {
        self.document.records()
    }

    /// All structures of that type or an eventual subtype of it, in document order.
    pub fn of_type(&self, iri: &str) -> impl Iterator<Item = Node<'_>> {
        self.typing.of_type(&self.document, iri)
    }

    /// Returns the substructures of `node` of the type `iri` or of an eventual subtype of it, in order
    /// (J19 §3.1.1); none of those of another document. Each call works the subtypes out anew.
    ///
    /// ```
    /// use elf_schema::vocabulary::elf;
    /// use elf_schema::{ReadOptions, Rules};
    ///
    /// let octets = b"0 HEAD\n0 INDI\n1 NAME Ada\n1 BIRT\n2 DATE 1815\n1 DEAT\n0 TRLR\n";
    /// let typed = elf_schema::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
    /// let person = typed.records().next().expect("a record");
    /// let events: Vec<_> = typed.substructures_of_type(person, elf::EVENT).map(|event| event.tag()).collect();
    /// assert_eq!(events, ["BIRT", "DEAT"]);
    /// # Ok::<(), elf_schema::TooLarge>(())
    /// ```
    pub fn substructures_of_type<'d>(&'d self, node: Node<'d>, iri: &str) -> impl Iterator<Item = Node<'d>> {
        self.typing.beneath(node, iri)
    }

    /// Makes the document own its octets and its text; see [`Document::into_owned`].
    pub fn into_owned(self) -> TypedDocument<'static> {
        TypedDocument { document: self.document.into_owned(), typing: self.typing }
    }

    /// The document and the types, apart.
    pub fn into_parts(self) -> (Document<'o>, Typing) {
        (self.document, self.typing)
    }
}
