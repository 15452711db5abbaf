//! Octets to a typed document: all layers in a straight line.

use crate::dictionary::Dictionary;
use crate::extension_tags;
use crate::ids::TypeId;
use crate::read_options::ReadOptions;
use crate::reader::RunTyper;
use crate::resolve::Resolver;
use crate::schema::Schema;
use crate::tally::UndefinedTally;
use crate::typing::Typing;
use elf_base::{Rules, Sink};
use elf_tagged::{Document, Node, Records, TooLarge, read_with};
use elf_values::{Datatype, DateValue, Gedcom7, Value};
use std::borrow::Cow;
use std::sync::Arc;

/// A document with the types of its structures; or a run of one, as a [`Reader`](crate::Reader) gives it, which has
/// the metadata if it is the first.
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
    let rules = *document.rules();
    let mut typer = RunTyper::new(options.clone());
    let (typed, undefined) = typer.type_document(document, sink);
    let mut tally = UndefinedTally::default();
    tally.take(undefined);
    typer.report_undefined(tally, &rules, sink);
    typed
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
        return Resolver::new(extension_tags::over(&standard, document, sink));
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
    pub(crate) const fn of(document: Document<'o>, typing: Typing) -> TypedDocument<'o> {
        TypedDocument { document, typing }
    }

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
    pub fn schema(&self) -> &Arc<Schema> {
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

    /// The datatype of the payload of a structure of this document by its type; see [`Schema::datatype`]. Dates,
    /// ages and times of a document that is read as GEDCOM 7 are [`Datatype::Gedcom7`], since they have a grammar
    /// of their own. The payloads of another document, whose types are not known here, are text.
    pub fn datatype(&self, node: Node<'_>) -> Datatype {
        self.typing.datatype(node)
    }

    /// The value of the payload of a structure of this document, by its datatype; `None` where there is no
    /// payload, or it is a pointer, or the structure is one of another document. A payload outside the
    /// grammar of its datatype is text; [`date`](TypedDocument::date) also reads dates in other spellings.
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

    /// The date that the payload of a structure of this document means, as [`DateValue::meant`] decides: by the
    /// grammar of its datatype, or in another spelling that leaves no doubt. `None` where the datatype is not one
    /// of dates, and for text that gives no date. All crates that ask for a date get this answer.
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
            Cow::Borrowed(text) => DateValue::meant(text, rules),
            Cow::Owned(text) => DateValue::meant(&text, rules).map(DateValue::into_owned),
        }
    }

    /// The resolver that gave the types.
    pub fn resolver(&self) -> &Resolver {
        self.typing.resolver()
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

/// Returns whether payloads of a datatype are dates or periods, as [`TypedDocument::date`] reads them.
pub fn is_of_dates(datatype: Datatype) -> bool {
    matches!(
        datatype,
        Datatype::DateValue
            | Datatype::DatePeriod
            | Datatype::DateExact
            | Datatype::Gedcom7(Gedcom7::Date | Gedcom7::Period | Gedcom7::Exact)
    )
}
