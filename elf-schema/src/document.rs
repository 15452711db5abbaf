//! Reads bytes to a typed document, through all layers.

use crate::dictionary::Dictionary;
use crate::extension_tags;
use crate::ids::TypeId;
use crate::read_options::ReadOptions;
use crate::reader::RunTyper;
use crate::resolve::Resolver;
use crate::schema::Schema;
use crate::tally::UndefinedTally;
use crate::typing::Typing;
use crate::vendors::{self, Producer};
use elf_base::{Rules, Sink};
use elf_tagged::{Document, Node, Records, TooLarge, read_with};
use elf_values::{Datatype, DateValue, Gedcom70, Value};
use std::borrow::Cow;
use std::sync::Arc;

/// A document, or a run of one, with the types of its structures.
#[derive(Debug)]
pub struct TypedDocument<'o> {
    document: Document<'o>,
    typing: Typing,
}

/// Reads a whole document under `rules` and finds the types of its structures.
///
/// Invalid content does not fail; it is reported to `sink`.
///
/// # Errors
///
/// [`TooLarge`] if the text is longer than 4 GiB.
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

/// Finds the types of the structures of a document, under the rules that it was read with.
///
/// Payloads are not decoded again, so read the document with the same options as the source of preserved escapes, as in
/// [`elf_tagged::read_with`].
pub fn read_document<'o>(
    document: Document<'o>,
    options: &ReadOptions<'_>,
    sink: &mut dyn Sink,
) -> TypedDocument<'o> {
    let rules = *document.rules();
    let mut typer = RunTyper::new(options.clone());
    let (typed, undefined) = typer.type_document(document, sink);
    let mut tally = UndefinedTally::default();
    tally.add_run(undefined);
    typer.report_undefined(tally, &rules, sink);
    typed
}

/// Creates the resolver for a document. It uses the schema that the caller names, else that of the document, else the
/// default one of the rules. A common schema, if given, types what the document does not define.
pub(crate) fn new_resolver(
    document: &Document<'_>,
    options: &ReadOptions<'_>,
    sink: &mut dyn Sink,
) -> Resolver {
    let in_force = resolver_of_file(document, options, sink);
    match (&options.common, &options.additions) {
        (Some(common), _) => {
            let rules = document.rules();
            let common = match vendors::applies_by(rules) && common.has_vendor_types() {
                true => with_own_definitions(Arc::clone(common), document, sink),
                false => Arc::clone(common),
            };
            in_force.with_fallback(&common)
        }
        (None, Some(additions)) if in_force.dictionary().is_none() => {
            Resolver::new(Arc::new(in_force.schema().with_additions(additions)))
        }
        (None, _) => in_force,
    }
}

fn resolver_of_file(document: &Document<'_>, options: &ReadOptions<'_>, sink: &mut dyn Sink) -> Resolver {
    let rules = document.rules();
    if rules.schema.mechanism.is_of_extension_tags() {
        let standard = options.schema.as_ref().or_else(|| Schema::default_of(rules));
        let standard = standard.cloned().unwrap_or_else(|| Arc::new(Schema::empty()));
        return Resolver::new(extension_tags::with_extension_tags(&standard, document, sink));
    }
    let may_have_vendor_tags = options.vendor_tags && options.common.is_none() && vendors::applies_by(rules);
    let producer = Producer::of(document).filter(|_| may_have_vendor_tags);
    let has_vendor_tags = may_have_vendor_tags && vendors::may_apply_to(document, producer);
    if let Some(schema) = &options.schema {
        // The caller who names the completed schema does not want the dictionary.
        let is_completed = std::ptr::eq(&raw const **schema, &raw const **Schema::completed());
        return Resolver::new(match has_vendor_tags && is_completed && options.additions.is_some() {
            true => with_own_definitions(Arc::clone(vendors::over_completed(producer)), document, sink),
            false => Arc::clone(schema),
        });
    }
    if rules.schema.mechanism.is_dictionary() {
        return Resolver::of_dictionary(Arc::new(Dictionary::of_document(document, sink)));
    }
    if let Some(schema) = Schema::of_document(document, options.external, sink) {
        return Resolver::new(match has_vendor_tags {
            true => with_own_definitions(Arc::new(schema.with_vendor_tags(producer)), document, sink),
            false => Arc::new(schema),
        });
    }
    if has_vendor_tags {
        return Resolver::new(with_own_definitions(
            Arc::clone(vendors::over_completed(producer)),
            document,
            sink,
        ));
    }
    Resolver::new(match Schema::default_of(rules) {
        Some(schema) => Arc::clone(schema),
        None => Arc::new(Schema::empty()),
    })
}

/// Adds definitions that programs write into their headers in other forms than those of ELF.
fn with_own_definitions(schema: Arc<Schema>, document: &Document<'_>, sink: &mut dyn Sink) -> Arc<Schema> {
    match vendors::definitions_of(document, &schema, sink) {
        Some(own) => Arc::new(schema.with_additions(&own)),
        None => schema,
    }
}

impl<'o> TypedDocument<'o> {
    pub(crate) const fn of(document: Document<'o>, typing: Typing) -> TypedDocument<'o> {
        TypedDocument { document, typing }
    }

    /// Reads a document under the rules `wild`, for files as they are found, and ignores findings.
    /// [`read`](crate::read()) takes rules, options and a sink.
    ///
    /// # Errors
    ///
    /// [`TooLarge`] if the text is longer than 4 GiB.
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

    /// Returns the document without types.
    pub const fn document(&self) -> &Document<'o> {
        &self.document
    }

    /// Returns the types of its structures.
    pub const fn typing(&self) -> &Typing {
        &self.typing
    }

    /// Returns the schema that the types come from.
    pub fn schema(&self) -> &Arc<Schema> {
        self.typing.schema()
    }

    /// Returns the IRI of the type of a structure; `None` for structures of other documents.
    pub fn type_of(&self, node: Node<'_>) -> Option<&str> {
        self.typing.iri(self.type_id(node)?)
    }

    /// Returns the number of the type of a structure; `None` for structures of other documents.
    pub fn type_id(&self, node: Node<'_>) -> Option<TypeId> {
        self.typing.type_id(node)
    }

    /// Returns the datatype of the payload of a structure; see [`Schema::datatype`]. Dates, ages and times of GEDCOM
    /// 7 files are [`Datatype::Gedcom70`], because their grammar is different. For structures of other documents,
    /// returns text.
    pub fn datatype(&self, node: Node<'_>) -> Datatype {
        self.typing.datatype(node)
    }

    /// Returns the value of a payload according to its datatype; `None` if there is no payload, if it is a pointer,
    /// or if the structure is in another document. Payloads that do not match the grammar of their datatype are
    /// returned as text; [`date`](TypedDocument::date) also reads dates in other spellings.
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

    /// Returns the date that a payload means, in the grammar of its datatype or in another clear spelling (see
    /// [`DateValue::parse_lenient`]). `None` if the datatype is not a date, or the text is not a clear date. All crates use
    /// this function to read dates.
    ///
    /// ```
    /// use elf_schema::{ReadOptions, Rules};
    ///
    /// let octets = b"0 HEAD\n0 INDI\n1 BIRT\n2 DATE 20 Jun 1881\n1 DEAT\n2 DATE 12/05/1850\n0 TRLR\n";
    /// let typed = elf_schema::read(octets, &Rules::WILD, &ReadOptions::default(), &mut ())?;
    /// let person = typed.records().next().expect("a person");
    /// let date = |tag| typed.date(person.substructure(tag)?.substructure("DATE")?);
    /// assert_eq!(date("BIRT").map(|date| date.to_string()).as_deref(), Some("20 JUN 1881"));
    /// assert_eq!(date("DEAT"), None);
    /// # Ok::<(), elf_schema::TooLarge>(())
    /// ```
    pub fn date<'d>(&self, node: Node<'d>) -> Option<DateValue<'d>> {
        let rules = self.document.rules().schema.dates;
        match node.text() {
            _ if !is_of_dates(self.datatype(node)) => None,
            Cow::Borrowed(text) => DateValue::parse_lenient(text, rules),
            Cow::Owned(text) => DateValue::parse_lenient(&text, rules).map(DateValue::into_owned),
        }
    }

    /// Returns the number of structures of each type of the dictionary of [vendor tags](crate::vendors), by the IRI of
    /// the type.
    pub fn vendor_counts(&self) -> impl Iterator<Item = (&str, u64)> {
        let counts = self.typing.counts().filter(|(of, _)| self.schema().is_vendor_type(*of));
        counts.filter_map(|(of, count)| Some((self.typing.iri(of)?, count)))
    }

    /// Returns the resolver that found the types.
    pub fn resolver(&self) -> &Resolver {
        self.typing.resolver()
    }

    /// Returns the structures of the header that are not serialisation metadata.
    pub fn metadata(&self) -> impl Iterator<Item = Node<'_>> {
        self.document.metadata()
    }

    /// Returns the records, in the order of the file.
    pub fn records(&self) -> Records<'_> {
        self.document.records()
    }

    /// Returns all structures of a type or one of its subtypes, in document order.
    pub fn of_type(&self, iri: &str) -> impl Iterator<Item = Node<'_>> {
        self.typing.of_type(&self.document, iri)
    }

    /// Returns the substructures of `node` with the type `iri` or one of its subtypes, in order (J19 §3.1.1).
    /// Computes the subtypes on each call.
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
        self.typing.substructures_of_type(node, iri)
    }

    /// Copies the bytes and the text if they are borrowed; see [`Document::into_owned`].
    pub fn into_owned(self) -> TypedDocument<'static> {
        TypedDocument { document: self.document.into_owned(), typing: self.typing }
    }

    /// Separates the document and the types.
    pub fn into_parts(self) -> (Document<'o>, Typing) {
        (self.document, self.typing)
    }
}

/// Returns whether payloads of a datatype are dates or periods, as [`TypedDocument::date`] reads them.
pub fn is_of_dates(datatype: Datatype) -> bool {
    matches!(
        datatype,
        Datatype::DateValue
            | Datatype::DatePeriod
            | Datatype::DateExact
            | Datatype::Gedcom70(Gedcom70::Date | Gedcom70::Period | Gedcom70::Exact)
    )
}
