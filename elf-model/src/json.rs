//! Serde: a dataset as flat lists of structures with their levels, so that no depth of a file is a depth of
//! calls.

mod binary;

use crate::arena::{Arena, METADATA, RECORDS};
use crate::dataset::{Dataset, Header, SchemaLine};
use crate::nodes::NONE;
use crate::structure::{Structure, Substructures};
use binary::{BinaryHeader, BinaryLine, BinarySupertypes};
use elf_tagged::Piece;
use indexmap::IndexMap;
use serde::de::value::MapAccessDeserializer;
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
        for (of, supertype) in self.types.edges() {
            supertypes.entry(of).or_default().push(supertype);
        }
        let has_header = self.header() != &Header::new();
        // What is skipped does not count: formats that write the number first rely on it.
        let members = 2 + usize::from(has_header) + usize::from(!supertypes.is_empty());
        let mut object = serializer.serialize_struct("Dataset", members)?;
        match has_header {
            true => object.serialize_field("header", self.header())?,
            false => object.skip_field("header")?,
        }
        object.serialize_field("metadata", &List { structures: self.metadata(), level: 1 })?;
        object.serialize_field("records", &List { structures: self.records(), level: 0 })?;
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
        deserializer.deserialize_struct("Dataset", FIELDS, Whole { is_readable })
    }
}

/// Reads a dataset: each structure goes where it stays as soon as it is read.
struct Whole {
    /// True if the format is one for people, which leaves out what is absent.
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

impl<'de> Visitor<'de> for Whole {
    type Value = Dataset;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a dataset")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Dataset, A::Error> {
        let mut arena = Arena::default();
        let mut met = [false; 4];
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
            if met.get_mut(index).is_some_and(|met| std::mem::replace(met, true)) {
                return Err(A::Error::duplicate_field(name));
            }
            match field {
                Field::Header if self.is_readable => arena.header = map.next_value::<Named<_>>()?.0,
                Field::Header => arena.header = map.next_value::<BinaryHeader>()?.into(),
                Field::Metadata => {
                    map.next_value_seed(Lines { arena: &mut arena, part: METADATA, top: 1 })?
                }
                Field::Records => map.next_value_seed(Lines { arena: &mut arena, part: RECORDS, top: 0 })?,
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

    /// Formats that name no fields give them in order, and all of them.
    fn visit_seq<A: SeqAccess<'de>>(self, mut fields: A) -> Result<Dataset, A::Error> {
        if self.is_readable {
            return Err(A::Error::invalid_type(Unexpected::Seq, &self));
        }
        let mut arena = Arena::default();
        let missing = |index| A::Error::invalid_length(index, &"a dataset of four fields");
        arena.header = fields.next_element::<BinaryHeader>()?.ok_or_else(|| missing(0))?.into();
        for (index, part, top) in [(1, METADATA, 1), (2, RECORDS, 0)] {
            let lines = Lines { arena: &mut arena, part, top };
            fields.next_element_seed(lines)?.ok_or_else(|| missing(index))?;
        }
        let supertypes = fields.next_element::<BinarySupertypes>()?.ok_or_else(|| missing(3))?;
        binary::add_supertypes(&supertypes, &mut arena);
        arena.finish().map_err(A::Error::custom)
    }
}

/// The structures of a part, from level `top` on.
struct Lines<'a> {
    arena: &'a mut Arena,
    part: usize,
    top: u32,
}

impl<'de> DeserializeSeed<'de> for Lines<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match deserializer.is_human_readable() {
            true => deserializer.deserialize_seq(LinesOf::<Named<Line<'de>>>::of(self)),
            false => deserializer.deserialize_seq(LinesOf::<BinaryLine<'de>>::of(self)),
        }
    }
}

/// An object whose members are named: in a format for people no list of values stands for one, as serde
/// would let it by itself, since members that are absent would move all others.
pub(crate) struct Named<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Named<T>, D::Error> {
        deserializer.deserialize_struct("", &[], Members(PhantomData)).map(Named)
    }
}

struct Members<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Members<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map))
    }
}

impl<'j> From<Named<Line<'j>>> for Line<'j> {
    fn from(Named(line): Named<Line<'j>>) -> Line<'j> {
        line
    }
}

/// Reads the lines of a header's schema, in a format for people.
pub(crate) fn schema_lines<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<SchemaLine>>, D::Error> {
    let lines = Option::<Vec<Named<SchemaLine>>>::deserialize(deserializer)?;
    Ok(lines.map(|lines| lines.into_iter().map(|Named(line)| line).collect()))
}

/// The structures of a part in one of the two forms.
struct LinesOf<'a, L>(Lines<'a>, PhantomData<L>);

impl<'a, L> LinesOf<'a, L> {
    const fn of(lines: Lines<'a>) -> LinesOf<'a, L> {
        LinesOf(lines, PhantomData)
    }
}

impl<'de, L: Deserialize<'de> + Into<Line<'de>>> Visitor<'de> for LinesOf<'_, L> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of structures")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut lines: A) -> Result<(), A::Error> {
        let Lines { arena, part, top } = self.0;
        let mut deepest = top;
        while let Some(line) = lines.next_element::<L>()? {
            let line: Line<'de> = line.into();
            if line.level < top || line.level > deepest {
                let expected = format!("expected a level from {top} to {deepest}");
                return Err(A::Error::custom(format!("{expected}, but found {}", line.level)));
            }
            deepest = line.level.saturating_add(1);
            line.push(arena, part, top).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}

/// Structures side by side, with all beneath them.
struct List<'d> {
    structures: Substructures<'d>,
    level: u32,
}

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let count = self.structures.map(|structure| structure.data().next - structure.id);
        // Some formats must know how many there are before the first.
        let is_readable = serializer.is_human_readable();
        let mut lines = serializer.serialize_seq(Some(count.map(|count| count as usize).sum()))?;
        let mut ends: Vec<u32> = Vec::new();
        for structure in self.structures.flat_map(Structure::subtree) {
            while ends.last().is_some_and(|&end| end <= structure.id) {
                ends.pop();
            }
            let depth = u32::try_from(ends.len()).unwrap_or(NONE);
            ends.push(structure.data().next);
            let line = Line::of(structure, self.level.saturating_add(depth));
            match is_readable {
                true => lines.serialize_element(&line)?,
                false => lines.serialize_element(&BinaryLine::from(line))?,
            }
        }
        lines.end()
    }
}

/// A structure as it is written.
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
        let start = structure.data().payload;
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

    fn push(self, arena: &mut Arena, part: usize, top: u32) -> Result<(), &'static str> {
        let tag = arena.tag(&self.tag);
        let structure_type = self.structure_type.map_or(NONE, |iri| arena.structure_type(&iri));
        arena.push(part, (self.level - top) as usize, tag, structure_type);
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
                        return Err("expected escapes at ranges of octets in order, but found others");
                    };
                    arena.add_piece(Piece::Text(before));
                    arena.add_piece(Piece::Escape(raw));
                    at = to;
                }
                arena.add_piece(Piece::Text(text.get(at..).unwrap_or_default()));
            }
        }
        Ok(())
    }
}
