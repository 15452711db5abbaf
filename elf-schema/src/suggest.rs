//! Help about tags that nothing defines where they stand: where they are defined, and which tags that are
//! defined there are spelled nearly alike.
//!
//! Schemas come from strangers: what is looked at for one tag is bounded, however much they define.

use crate::Resolver;
use crate::build::brief;
use crate::near::{self, COMMON, NAMED, Near, defined_at};
use crate::schema::{Schema, TypeId};
use indexmap::IndexMap;
use std::collections::HashMap;
use std::sync::Arc;

/// The most tags beneath one type among which similar ones are looked for.
const ROW: usize = 1000;

/// The work that the places of one tag may take: definitions and types passed.
const STEPS: usize = 500;

/// Says what may help with tags that have no type where they stand. It depends on nothing but the schema, the
/// type of the superstructure, and the tag.
#[derive(Clone, Debug, Default)]
pub(crate) struct Advisor {
    /// A resolver by the completed schema, once it is needed.
    completed: Option<Box<Resolver>>,
}

/// The definitions of a schema by what they name.
#[derive(Clone, Debug)]
pub(crate) struct TagIndex {
    /// The numbers of the definitions of each tag.
    by_tag: Vec<Vec<u32>>,
    /// The numbers of the definitions of each structure type.
    by_type: Vec<Vec<u32>>,
}

impl TagIndex {
    pub(crate) fn of(schema: &Schema) -> TagIndex {
        let mut index = TagIndex {
            by_tag: vec![Vec::new(); schema.said().tags.len()],
            by_type: vec![Vec::new(); schema.len()],
        };
        for (definition, number) in schema.said().definitions.iter().zip(0..) {
            let of_tag = index.by_tag.get_mut(definition.tag as usize);
            let of_type = index.by_type.get_mut(definition.structure_type.index());
            of_tag.into_iter().chain(of_type).for_each(|numbers| numbers.push(number));
        }
        index
    }

    fn of_tag(&self, tag: u32) -> &[u32] {
        self.by_tag.get(tag as usize).map(Vec::as_slice).unwrap_or_default()
    }

    fn of_type(&self, of: TypeId) -> &[u32] {
        self.by_type.get(of.index()).map(Vec::as_slice).unwrap_or_default()
    }
}

/// The order of a place among those that help may name: the lowest comes first.
type Likelihood = (u8, usize, usize);

/// A place where a tag is defined: as a record, or beneath a type with a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Defined {
    Record,
    Head,
    Beneath(u32),
}

impl Advisor {
    /// Help about `tag`, which has no type beneath a type of the schema.
    pub(crate) fn help(
        &mut self,
        resolver: &mut Resolver,
        superstructure: TypeId,
        tag: &str,
    ) -> Option<String> {
        if let Some(number) = resolver.tag_number(tag)
            && resolver.row(superstructure).is_some_and(|row| row.contains(&(number, TypeId::NONE)))
        {
            return Some("its definitions there contradict one another, so none of them counts".to_owned());
        }
        if self.is_completed(resolver, superstructure, tag) {
            return Some("the schema `completed` defines it there, as GEDCOM does".to_owned());
        }
        let schema = Arc::clone(resolver.schema());
        let here = resolver.row(superstructure).filter(|row| row.len() <= ROW).unwrap_or_default();
        let defined = here.iter().filter(|(_, of)| *of != TypeId::NONE);
        let near = Near::of(tag, defined.map(|&(number, _)| schema.tag(number)));
        near.help(|| {
            let spellings = [tag, &tag.to_ascii_uppercase()];
            spellings.into_iter().find_map(|tag| Places::of(&schema, here, superstructure, tag)?.text(tag))
        })
    }

    /// Tells whether the completed schema gives the tag a type beneath that type.
    fn is_completed(&mut self, resolver: &Resolver, superstructure: TypeId, tag: &str) -> bool {
        let completed = Schema::completed();
        if Arc::ptr_eq(resolver.schema(), completed) {
            return false;
        }
        let Some(of) = resolver.schema().iri(superstructure).and_then(|iri| completed.type_of(iri)) else {
            return false;
        };
        let Some(number) = completed.tag_number(tag) else { return false };
        let all = self.completed.get_or_insert_with(|| Box::new(Resolver::new(Arc::clone(completed))));
        let row = all.row(of).unwrap_or_default();
        row.binary_search_by_key(&number, |(tag, _)| *tag).is_ok()
    }
}

/// Returns the tag of a type of the schema for a message: with the type, where it stands for several types.
pub(crate) fn tag_of_type(schema: &Schema, of: TypeId, tag: &str) -> String {
    let number = schema.tag_number(tag);
    let definitions = number.map(|number| schema.tag_index().of_tag(number)).unwrap_or_default();
    let mut types = definitions.iter().filter_map(|&number| schema.said().definitions.get(number as usize));
    match types.any(|definition| definition.structure_type != of) {
        true => with_type(schema, of, tag),
        false => format!("`{}`", brief(tag)),
    }
}

fn with_type(schema: &Schema, of: TypeId, tag: &str) -> String {
    let iri = schema.prefixes().shorten(schema.iri(of).unwrap_or_default());
    format!("`{}` ({})", brief(tag), brief(&iri))
}

/// The places where a tag is defined, the likeliest first.
struct Places<'s> {
    schema: &'s Schema,
    /// The type beneath which the tag is not defined.
    superstructure: TypeId,
    sorted: Vec<(Likelihood, Defined, TypeId)>,
}

impl<'s> Places<'s> {
    /// The places of `tag`; `here` are the tags that may stand where it is not defined: what is beneath one
    /// of those is likely, since then only a line between is missing.
    fn of(
        schema: &'s Schema,
        here: &[(u32, TypeId)],
        superstructure: TypeId,
        tag: &str,
    ) -> Option<Places<'s>> {
        let number = schema.tag_number(tag)?;
        let index = schema.tag_index();
        let here: HashMap<TypeId, u32> = here.iter().map(|&(tag, of)| (of, tag)).collect();
        let mut best: IndexMap<Defined, (Likelihood, TypeId)> = IndexMap::new();
        let mut steps = STEPS;
        for &definition in index.of_tag(number) {
            let Some(definition) = schema.said().definitions.get(definition as usize) else { continue };
            let Some(left) = steps.checked_sub(1 + schema.len() / 64) else { break };
            steps = left;
            for of in schema.eventual_subtypes(definition.superstructure) {
                let Some(left) = steps.checked_sub(1) else { break };
                steps = left;
                let defined = match of {
                    TypeId::DOCUMENT => Some(Defined::Record),
                    TypeId::METADATA => Some(Defined::Head),
                    of => here.get(&of).copied().or_else(|| first_tag(schema, of)).map(Defined::Beneath),
                };
                let Some(defined) = defined.filter(|_| of != superstructure) else { continue };
                let met = best.get_index_of(&defined).unwrap_or(best.len());
                let likelihood = (u8::from(!here.contains_key(&of)), commonness(schema, defined), met);
                let entry = best.entry(defined).or_insert((likelihood, of));
                *entry = (*entry).min((likelihood, of));
            }
        }
        let mut sorted: Vec<_> =
            best.into_iter().map(|(defined, (likelihood, of))| (likelihood, defined, of)).collect();
        sorted.sort_unstable_by_key(|(likelihood, ..)| *likelihood);
        Some(Places { schema, superstructure, sorted })
    }

    /// Says where `tag` is defined; `None` where it is nowhere.
    fn text(&self, tag: &str) -> Option<String> {
        let named = self.sorted.iter().take(NAMED);
        let record = named.clone().any(|(_, defined, _)| *defined == Defined::Record);
        let beneath = named.filter_map(|(_, defined, of)| self.beneath(*defined, *of)).collect();
        defined_at(tag, record, beneath, self.sorted.len().saturating_sub(NAMED))
    }

    fn beneath(&self, defined: Defined, of: TypeId) -> Option<String> {
        let tag = match defined {
            Defined::Record => return None,
            Defined::Head => return Some("`HEAD`".to_owned()),
            Defined::Beneath(tag) => tag,
        };
        // Two types that one tag stands for are told apart by their names.
        let is_same = first_tag(self.schema, self.superstructure) == Some(tag);
        let tag = self.schema.tag(tag);
        Some(if is_same { with_type(self.schema, of, tag) } else { format!("`{}`", brief(tag)) })
    }
}

/// Returns the first tag that stands for a type, by its number.
fn first_tag(schema: &Schema, of: TypeId) -> Option<u32> {
    let first = *schema.tag_index().of_type(of).first()?;
    schema.said().definitions.get(first as usize).map(|definition| definition.tag)
}

/// Returns the rank of a superstructure by how many files have it.
fn commonness(schema: &Schema, defined: Defined) -> usize {
    match defined {
        Defined::Record => COMMON.len() + 1,
        Defined::Head => COMMON.len(),
        Defined::Beneath(tag) => near::commonness(schema.tag(tag)),
    }
}
