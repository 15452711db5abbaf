//! Links between records: what only the whole document shows.

mod part;
mod texts;

pub(crate) use part::PartCollector;
pub use part::PartLinks;

use crate::findings::finding;
use crate::payloads::{name, shown};
use crate::table::{Kind, Naming, Table};
use elf_base::{Against, Code, PackedPlaces, Place, Sink, codes};
use hashbrown::DefaultHashBuilder;
use part::{Bearer, NO_KIND, Pointer};
use texts::{NONE, Texts};

/// The links between the records of a document, brought together from its parts:
/// [`Validator::links`](crate::Validator::links) starts them.
#[derive(Clone, Debug)]
pub struct Links {
    table: &'static Table,
    against: Against,
    texts: Texts,
    /// The index of the bearer of each identifier, by its number; [`NONE`] where there is none,
    /// [`SEVERAL`] where there are several.
    bearer_of: Vec<u32>,
    bearers: Vec<Bearer>,
    pointers: Vec<Pointer>,
    /// The places of the pointers of each part, and the index of its first one.
    parts: Vec<(usize, PackedPlaces)>,
    /// The numbers of structures met that stand in no other, by the places of the table for them.
    roots: Vec<u32>,
    /// The ones of them that are too many.
    repeated: Vec<(u16, Place)>,
}

/// The index of a bearer that is not the only one.
const SEVERAL: u32 = u32::MAX - 1;

impl Links {
    pub(crate) fn new(table: &'static Table, against: Against, hasher: DefaultHashBuilder) -> Links {
        Links {
            table,
            against,
            texts: Texts::new(hasher),
            bearer_of: Vec::new(),
            bearers: Vec::new(),
            pointers: Vec::new(),
            parts: Vec::new(),
            roots: vec![0; table.roots.len()],
            repeated: Vec::new(),
        }
    }

    /// Adds what the next part in the order of the file showed to the same validator, or to a clone of it.
    pub fn add(&mut self, part: PartLinks) {
        for &(slot, place) in &part.roots {
            let Some(met) = self.roots.get_mut(usize::from(slot)) else { continue };
            *met = met.saturating_add(1);
            let max = self.table.roots.get(usize::from(slot)).and_then(|slot| slot.max);
            if max.is_some_and(|max| *met > max) {
                self.repeated.push((slot, part.place(place)));
            }
        }
        let numbers: Vec<u32> = (0..)
            .zip(&part.hashes)
            .map(|(number, &hash)| self.texts.number(part.texts.get(number), hash))
            .collect();
        let number = |of: u32| numbers.get(of as usize).copied().unwrap_or(NONE);
        self.bearer_of.resize(self.texts.len(), NONE);
        let first = self.pointers.len();
        let end = |of: u32| u32::try_from(first).unwrap_or(u32::MAX).saturating_add(of);
        for bearer in &part.bearers {
            let identifier = number(bearer.identifier);
            if let Some(of) = self.bearer_of.get_mut(identifier as usize) {
                *of = if *of == NONE { index(self.bearers.len()) } else { SEVERAL };
            }
            self.bearers.push(Bearer {
                identifier,
                tag: number(bearer.tag),
                end: end(bearer.end),
                ..*bearer
            });
        }
        let pointers = part.pointers.iter();
        self.pointers
            .extend(pointers.map(|pointer| Pointer { identifier: number(pointer.identifier), ..*pointer }));
        self.parts.push((first, part.places));
    }

    /// Reports what the whole document shows, in the order of the file: the findings have places, but not the
    /// lines that they stand in, which are gone.
    pub fn finish(self, sink: &mut dyn Sink) {
        let mut late: Vec<(Place, Code, String)> = Vec::new();
        for &(slot, place) in &self.repeated {
            let Some(slot) = self.table.roots.get(usize::from(slot)) else { continue };
            let (max, what) = (slot.max.unwrap_or(u32::MAX), name(slot.name, self.table.naming));
            let message = format!("expected at most {max} `{what}` in the document, but found another one");
            late.push((place, codes::STRUCTURE_REPEATED, message));
        }
        for (at, pointer) in self.pointers.iter().enumerate() {
            let Some(kind) = self.table.kind(pointer.kind) else { continue };
            let Some(target) = self.bearer(pointer.identifier) else { continue };
            if !self.is_meant(kind, target) {
                late.push((
                    self.place(at, pointer),
                    codes::POINTER_WRONG_TYPE,
                    self.wrong_type(kind, pointer, target),
                ));
            }
        }
        late.sort_by_key(|(place, ..)| *place);
        for (place, code, message) in late {
            sink.report(finding(code, self.against, message).at(place, None));
        }
    }

    /// The only bearer of an identifier.
    fn bearer(&self, identifier: u32) -> Option<&Bearer> {
        self.bearers.get(*self.bearer_of.get(identifier as usize)? as usize)
    }

    /// Tells whether pointers of a kind may lead to a structure.
    fn is_meant(&self, kind: &Kind, target: &Bearer) -> bool {
        match self.table.naming {
            Naming::Tag => kind.targets.contains(&self.texts.get(target.tag)),
            // A record of a type that is not known may be anything.
            Naming::Type if target.kind == NO_KIND => true,
            Naming::Type => self.table.kind(target.kind).is_none_or(|found| {
                let above = found.supertypes.iter().filter_map(|&number| self.table.kind(number));
                std::iter::once(found).chain(above).any(|of| kind.targets.contains(&of.name))
            }),
        }
    }

    #[cold]
    fn wrong_type(&self, kind: &Kind, pointer: &Pointer, target: &Bearer) -> String {
        let targets: Vec<String> =
            kind.targets.iter().map(|of| format!("`{}`", name(of, self.table.naming))).collect();
        format!(
            "expected a pointer to {}, but `@{}@` is `{}`",
            targets.join(" or "),
            shown(self.texts.get(pointer.identifier)),
            shown(self.texts.get(target.tag))
        )
    }

    /// The place of the line of a pointer, which is the one of that index.
    #[cold]
    fn place(&self, at: usize, pointer: &Pointer) -> Place {
        let part = self.parts.partition_point(|(first, _)| *first <= at).checked_sub(1);
        let places = part.and_then(|part| self.parts.get(part));
        places.map_or(Place::new(0, 1, 1, 1), |(_, places)| places.place(pointer.place))
    }
}

/// An index as a number that is none of the special ones.
fn index(of: usize) -> u32 {
    u32::try_from(of).map_or(SEVERAL, |of| of.min(SEVERAL))
}
