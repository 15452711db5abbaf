//! Serialises a dataset with Serde. The structures are flat lists with levels, so that reading and writing need no
//! recursion.

mod binary;
pub(crate) mod named;

use crate::arena::{Arena, NewStructure, Section};
use crate::dataset::Dataset;
use crate::header::Header;
use crate::nodes::{NONE, to_u32};
use crate::structure::{Structure, Substructures};
use binary::{BinaryHeader, BinaryLine, BinarySupertypes};
use elf_tagged::Piece;
use indexmap::IndexMap;
use named::Named;
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::ser::{SerializeSeq, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

impl Serialize for Dataset {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return binary::serialize(self, serializer);
        }
        let mut supertypes: IndexMap<&str, Vec<&str>> = IndexMap::new();
        for (of, supertype) in self.types.supertype_iris() {
            supertypes.entry(of).or_default().push(supertype);
        }
        let has_header = self.header() != &Header::new();
        // Count only the members that are written, because some formats write their number first.
        let members = 2 + usize::from(has_header) + usize::from(!supertypes.is_empty());
        let mut object = serializer.serialize_struct("Dataset", members)?;
        match has_header {
            true => object.serialize_field("header", self.header())?,
            false => object.skip_field("header")?,
        }
        object.serialize_field("metadata", &SectionWriter::of(self, Section::Metadata))?;
        object.serialize_field("records", &SectionWriter::of(self, Section::Records))?;
        match supertypes.is_empty() {
            true => object.skip_field("supertypes")?,
            false => object.serialize_field("supertypes", &supertypes)?,
        }
        object.end()
    }
}

impl<'de> Deserialize<'de> for Dataset {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Dataset, D::Error> {
        const FIELDS: &[&str] = &["header", "metadata", "records", "supertypes"];
        let is_readable = deserializer.is_human_readable();
        deserializer.deserialize_struct("Dataset", FIELDS, DatasetVisitor { is_readable })
    }
}

struct DatasetVisitor {
    /// Whether the format is human-readable. In such a format, absent members are omitted.
    is_readable: bool,
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Field {
    Header,
    Metadata,
    Records,
    Supertypes,
    #[serde(other)]
    Other,
}

impl<'de> Visitor<'de> for DatasetVisitor {
    type Value = Dataset;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a dataset")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Dataset, A::Error> {
        let mut arena = Arena::default();
        let mut seen = [false; 4];
        while let Some(field) = map.next_key::<Field>()? {
            let (index, name) = match field {
                Field::Header => (0, "header"),
                Field::Metadata => (1, "metadata"),
                Field::Records => (2, "records"),
                Field::Supertypes => (3, "supertypes"),
                Field::Other => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            if std::mem::replace(&mut seen[index], true) {
                return Err(A::Error::duplicate_field(name));
            }
            match field {
                Field::Header if self.is_readable => arena.header = map.next_value::<Named<_>>()?.0,
                Field::Header => arena.header = map.next_value::<BinaryHeader>()?.into(),
                Field::Metadata => map.next_value_seed(SectionReader::new(&mut arena, Section::Metadata))?,
                Field::Records => map.next_value_seed(SectionReader::new(&mut arena, Section::Records))?,
                Field::Supertypes | Field::Other if !self.is_readable => {
                    binary::add_supertypes(&map.next_value::<BinarySupertypes>()?, &mut arena);
                }
                Field::Supertypes | Field::Other => {
                    let all: IndexMap<String, Vec<String>> = map.next_value()?;
                    for (of, supertypes) in &all {
                        for supertype in supertypes {
                            arena.add_supertype(of, supertype);
                        }
                    }
                }
            }
        }
        arena.finish().map_err(A::Error::custom)
    }

    // A format without member names contains all members, in order.
    fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<Dataset, A::Error> {
        if self.is_readable {
            return Err(A::Error::invalid_type(Unexpected::Seq, &self));
        }
        let mut arena = Arena::default();
        let missing = |index| A::Error::invalid_length(index, &"a dataset of four fields");
        arena.header = fields.next_element::<BinaryHeader>()?.ok_or_else(|| missing(0))?.into();
        for (index, section) in [(1, Section::Metadata), (2, Section::Records)] {
            fields
                .next_element_seed(SectionReader::new(&mut arena, section))?
                .ok_or_else(|| missing(index))?;
        }
        let supertypes = fields.next_element::<BinarySupertypes>()?.ok_or_else(|| missing(3))?;
        binary::add_supertypes(&supertypes, &mut arena);
        arena.finish().map_err(A::Error::custom)
    }
}

/// Reads the structures of a section into an arena.
struct SectionReader<'a> {
    arena: &'a mut Arena,
    section: Section,
}

impl<'a> SectionReader<'a> {
    const fn new(arena: &'a mut Arena, section: Section) -> SectionReader<'a> {
        SectionReader { arena, section }
    }
}

const fn top_level(section: Section) -> u32 {
    match section {
        Section::Metadata => 1,
        Section::Records => 0,
    }
}

impl<'de> DeserializeSeed<'de> for SectionReader<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match deserializer.is_human_readable() {
            true => deserializer.deserialize_seq(LinesReader::<Named<Line<'de>>>::of(self)),
            false => deserializer.deserialize_seq(LinesReader::<BinaryLine<'de>>::of(self)),
        }
    }
}

impl<'j> From<Named<Line<'j>>> for Line<'j> {
    fn from(Named(line): Named<Line<'j>>) -> Line<'j> {
        line
    }
}

/// Reads the structures of a section. Each structure has the form `L`, for JSON or for binary formats.
struct LinesReader<'a, L>(SectionReader<'a>, PhantomData<L>);

impl<'a, L> LinesReader<'a, L> {
    const fn of(lines: SectionReader<'a>) -> LinesReader<'a, L> {
        LinesReader(lines, PhantomData)
    }
}

impl<'de, L: Deserialize<'de> + Into<Line<'de>>> Visitor<'de> for LinesReader<'_, L> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of structures")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut lines: A) -> Result<(), A::Error> {
        let SectionReader { arena, section } = self.0;
        let top = top_level(section);
        let mut deepest = top;
        while let Some(line) = lines.next_element::<L>()? {
            let line: Line<'de> = line.into();
            if line.level < top || line.level > deepest {
                let expected = format!("expected a level from {top} to {deepest}");
                return Err(A::Error::custom(format!("{expected}, but found {}", line.level)));
            }
            deepest = line.level.saturating_add(1);
            line.push_to(arena, section).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}

struct SectionWriter<'d> {
    tops: Substructures<'d>,
    level: u32,
}

impl<'d> SectionWriter<'d> {
    fn of(dataset: &'d Dataset, section: Section) -> SectionWriter<'d> {
        let tops = match section {
            Section::Metadata => dataset.metadata(),
            Section::Records => dataset.records(),
        };
        SectionWriter { tops, level: top_level(section) }
    }
}

impl Serialize for SectionWriter<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let count = self.tops.map(|structure| structure.node().next - structure.id);
        // Count the structures, because some formats write their number first.
        let is_readable = serializer.is_human_readable();
        let mut lines = serializer.serialize_seq(Some(count.map(|count| count as usize).sum()))?;
        let mut ends: Vec<u32> = Vec::new();
        for structure in self.tops.flat_map(Structure::subtree) {
            while ends.last().is_some_and(|&end| end <= structure.id) {
                ends.pop();
            }
            let depth = to_u32(ends.len());
            ends.push(structure.node().next);
            let line = Line::of(structure, self.level + depth);
            match is_readable {
                true => lines.serialize_element(&line)?,
                false => lines.serialize_element(&BinaryLine::from(line))?,
            }
        }
        lines.end()
    }
}

/// A structure in JSON.
#[derive(Serialize, Deserialize)]
struct Line<'j> {
    level: u32,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    xref: Option<Cow<'j, str>>,
    #[serde(borrow)]
    tag: Cow<'j, str>,
    #[serde(borrow, default, rename = "type", skip_serializing_if = "Option::is_none")]
    structure_type: Option<Cow<'j, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    payload: Option<JsonPayload<'j>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    escapes: Vec<(u32, u32)>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum JsonPayload<'j> {
    Literal(#[serde(borrow)] Cow<'j, str>),
    Pointer {
        #[serde(borrow)]
        pointer: Cow<'j, str>,
    },
}

impl<'j> Line<'j> {
    fn of(structure: Structure<'j>, level: u32) -> Line<'j> {
        let start = structure.node().payload;
        Line {
            level,
            xref: structure.xref().map(Cow::Borrowed),
            tag: structure.tag().into(),
            structure_type: structure.structure_type().map(Cow::Borrowed),
            payload: match structure.payload() {
                crate::Payload::None => None,
                crate::Payload::Literal(literal) => Some(JsonPayload::Literal(literal.text.into())),
                crate::Payload::Pointer(id) => Some(JsonPayload::Pointer { pointer: id.into() }),
            },
            escapes: structure.escapes().iter().map(|&(from, to)| (from - start, to - start)).collect(),
        }
    }

    fn push_to(self, arena: &mut Arena, section: Section) -> Result<(), &'static str> {
        let tag = arena.intern_tag(&self.tag);
        let structure_type = self.structure_type.map_or(NONE, |iri| arena.intern_type(&iri));
        let depth = (self.level - top_level(section)) as usize;
        arena.push(NewStructure { section, depth, tag, structure_type });
        arena.set_xref(self.xref.as_deref());
        match self.payload {
            None => {}
            Some(JsonPayload::Pointer { pointer }) => arena.set_pointer(&pointer),
            Some(JsonPayload::Literal(text)) => {
                arena.begin_literal();
                let mut at = 0;
                for (from, to) in self.escapes {
                    let [from, to] = [from, to].map(|at| at as usize);
                    let (Some(before), Some(raw)) = (text.get(at..from), text.get(from..to)) else {
                        return Err("expected ascending byte ranges of escapes");
                    };
                    arena.add_piece(Piece::Text(before));
                    arena.add_piece(Piece::Escape(raw));
                    at = to;
                }
                arena.add_piece(Piece::Text(&text[at..]));
            }
        }
        Ok(())
    }
}
