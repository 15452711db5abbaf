//! Serialises a dataset in binary formats, such as CBOR and postcard. The members are the same as in JSON, but absent
//! members are written too, because some of these formats identify members by their order.

use super::{JsonPayload, Line, SectionWriter};
use crate::arena::{Arena, Section};
use crate::dataset::Dataset;
use crate::header::{Header, SchemaLine};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;

#[derive(Serialize, Deserialize)]
pub(super) struct BinaryHeader {
    gedcom_version: Option<Box<str>>,
    language: Option<Box<str>>,
    schema: Option<Vec<BinarySchemaLine>>,
}

/// A structure of the header's schema, with its level, tag and payload.
type BinarySchemaLine = (u32, Box<str>, Box<str>);

/// Pairs of a type and a direct supertype.
pub(super) type BinarySupertypes = Vec<(String, String)>;

#[derive(Serialize, Deserialize)]
pub(super) struct BinaryLine<'j> {
    level: u32,
    #[serde(borrow)]
    xref: Option<Cow<'j, str>>,
    #[serde(borrow)]
    tag: Cow<'j, str>,
    #[serde(borrow, rename = "type")]
    structure_type: Option<Cow<'j, str>>,
    #[serde(borrow)]
    payload: BinaryPayload<'j>,
}

#[derive(Serialize, Deserialize)]
enum BinaryPayload<'j> {
    None,
    /// A string, and the byte ranges of the escapes in it.
    Literal(#[serde(borrow)] Cow<'j, str>, Vec<(u32, u32)>),
    Pointer(#[serde(borrow)] Cow<'j, str>),
}

pub(super) fn serialize<S: Serializer>(dataset: &Dataset, serializer: S) -> Result<S::Ok, S::Error> {
    let header = dataset.header();
    let mut object = serializer.serialize_struct("Dataset", 4)?;
    let lines = header
        .schema
        .as_ref()
        .map(|lines| lines.iter().map(|line| (line.level, line.tag.clone(), line.payload.clone())).collect());
    let (gedcom_version, language) = (header.gedcom_version.clone(), header.language.clone());
    object.serialize_field("header", &BinaryHeader { gedcom_version, language, schema: lines })?;
    object.serialize_field("metadata", &SectionWriter::of(dataset, Section::Metadata))?;
    object.serialize_field("records", &SectionWriter::of(dataset, Section::Records))?;
    object.serialize_field("supertypes", &dataset.types.supertype_iris().collect::<Vec<_>>())?;
    object.end()
}

pub(super) fn add_supertypes(supertypes: &BinarySupertypes, arena: &mut Arena) {
    supertypes.iter().for_each(|(of, supertype)| arena.add_supertype(of, supertype));
}

impl From<BinaryHeader> for Header {
    fn from(header: BinaryHeader) -> Header {
        let BinaryHeader { gedcom_version, language, schema } = header;
        let lines = schema.map(|lines| {
            lines.into_iter().map(|(level, tag, payload)| SchemaLine { level, tag, payload }).collect()
        });
        Header { gedcom_version, language, schema: lines }
    }
}

impl<'j> From<Line<'j>> for BinaryLine<'j> {
    fn from(line: Line<'j>) -> BinaryLine<'j> {
        let Line { level, xref, tag, structure_type, payload, escapes } = line;
        let payload = match payload {
            None => BinaryPayload::None,
            Some(JsonPayload::Literal(text)) => BinaryPayload::Literal(text, escapes),
            Some(JsonPayload::Pointer { pointer }) => BinaryPayload::Pointer(pointer),
        };
        BinaryLine { level, xref, tag, structure_type, payload }
    }
}

impl<'j> From<BinaryLine<'j>> for Line<'j> {
    fn from(line: BinaryLine<'j>) -> Line<'j> {
        let BinaryLine { level, xref, tag, structure_type, payload } = line;
        let (payload, escapes) = match payload {
            BinaryPayload::None => (None, Vec::new()),
            BinaryPayload::Literal(text, escapes) => (Some(JsonPayload::Literal(text)), escapes),
            BinaryPayload::Pointer(pointer) => (Some(JsonPayload::Pointer { pointer }), Vec::new()),
        };
        Line { level, xref, tag, structure_type, payload, escapes }
    }
}
