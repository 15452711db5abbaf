//! Help about unknown tags: where they are defined, and which tags with a similar spelling are defined there.
//!
//! Schemas come from strangers, so the work for one tag is limited, however many definitions there are.

use crate::brief::shorten_text;
use crate::budget::Budget;
use crate::ids::TypeId;
use crate::lookup::Meaning;
use crate::near::{self, COMMON, NAMED, Near, defined_at};
use crate::resolve::Resolver;
use crate::schema::Schema;
use indexmap::IndexMap;
use std::collections::HashMap;

/// Similar tags are only searched under a type with at most this many definitions.
const ROW: usize = 1000;

/// The maximum number of definitions and types visited to find the places of one tag.
const STEPS: usize = 500;

/// Finds help about unknown tags. It depends only on the schema, the type of the superstructure, and the tag.
#[derive(Clone, Debug)]
pub(crate) struct Advisor {
    /// Cache: the tags that have a type under each type.
    defined_in: HashMap<TypeId, Vec<(u32, TypeId)>>,
    budget: Budget,
}

impl Default for Advisor {
    fn default() -> Advisor {
        Advisor { defined_in: HashMap::new(), budget: Budget::with_steps(Budget::LOOKUPS) }
    }
}

/// The sort key of a place in help texts; the lowest comes first.
type Likelihood = (u8, usize, usize);

/// A place where a tag is defined: as a record, or under a type with a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Defined {
    Record,
    Head,
    Beneath(u32),
}

impl Advisor {
    /// Returns help about `tag`, which has no type under this type.
    pub(crate) fn find_help(
        &mut self,
        resolver: &mut Resolver,
        superstructure: TypeId,
        tag: &str,
    ) -> Option<String> {
        if resolver.find_meaning(superstructure, tag) == Meaning::Conflict {
            return Some("its definitions there conflict, so none of them is used".to_owned());
        }
        let schema = &**resolver.schema();
        if is_completed(schema, superstructure, tag) {
            return Some("`--schema completed` defines it there, as GEDCOM does".to_owned());
        }
        let here = self.typed_tags_under(schema, superstructure);
        let near = Near::of(tag, here.iter().map(|&(number, _)| schema.tag(number)));
        near.help(|| {
            let spellings = [tag, &tag.to_ascii_uppercase()];
            spellings
                .into_iter()
                .find_map(|tag| Places::find(schema, here, superstructure, tag)?.describe_places(tag))
        })
    }

    /// Returns the tags that have a type under a type; none if there are too many to search.
    fn typed_tags_under(&mut self, schema: &Schema, superstructure: TypeId) -> &[(u32, TypeId)] {
        let budget = &mut self.budget;
        self.defined_in.entry(superstructure).or_insert_with(|| {
            let definitions =
                schema.walk_up(superstructure, budget).map(|of| schema.content().definitions_in(of).len());
            let is_few = definitions.sum::<usize>() <= ROW && !budget.is_spent();
            // A misspelled tag is rarely meant as a vendor tag.
            let is_standard = |(_, of): &(u32, TypeId)| !schema.is_vendor_type(*of);
            let found = is_few.then(|| schema.typed_tags_under(superstructure).filter(is_standard).collect());
            found.unwrap_or_default()
        })
    }
}

/// Returns whether the completed schema, if it differs from `schema`, gives the tag a type there.
fn is_completed(schema: &Schema, superstructure: TypeId, tag: &str) -> bool {
    let completed = Schema::completed();
    let of = schema.iri(superstructure).and_then(|iri| completed.type_of(iri));
    let (Some(of), Some(number)) = (of, completed.tag_number(tag)) else { return false };
    !std::ptr::eq(schema, &raw const **completed) && !completed.definitions_of_tag(of, number).is_empty()
}

/// Returns the tag of a type for a message. If the tag has several types, the type is added.
pub(crate) fn tag_of_type(schema: &Schema, of: TypeId, tag: &str) -> String {
    let definitions = schema.tag_number(tag).into_iter().flat_map(|number| schema.tag_index().of_tag(number));
    let types = definitions.map(|number| schema.content().definition(number).structure_type);
    let mut types = types.filter(|of| !schema.is_vendor_type(*of));
    match types.any(|other| other != of) {
        true => tag_with_type(schema, of, tag),
        false => format!("`{}`", shorten_text(tag)),
    }
}

fn tag_with_type(schema: &Schema, of: TypeId, tag: &str) -> String {
    let iri = schema.prefixes().shorten(schema.known_iri(of));
    format!("`{}` ({})", shorten_text(tag), shorten_text(&iri))
}

/// The places where a tag is defined, likeliest first.
struct Places<'s> {
    schema: &'s Schema,
    superstructure: TypeId,
    sorted: Vec<(Likelihood, Defined, TypeId)>,
}

impl<'s> Places<'s> {
    /// Finds the places of `tag`. `here` are the tags that are allowed where `tag` is not: a place under one of them is
    /// likely, because then only a line is missing in between.
    fn find(
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
        for definition in index.of_tag(number) {
            let definition = schema.content().definition(definition);
            if schema.is_vendor_type(definition.structure_type) {
                continue;
            }
            let Some(left) = steps.checked_sub(1 + schema.len() / 64) else { break };
            steps = left;
            let standard = schema.eventual_subtypes(definition.superstructure);
            for of in standard.filter(|of| !schema.is_vendor_type(*of)) {
                let Some(left) = steps.checked_sub(1) else { break };
                steps = left;
                let defined = match of {
                    TypeId::DOCUMENT => Some(Defined::Record),
                    TypeId::METADATA => Some(Defined::Head),
                    of => here.get(&of).copied().or_else(|| first_tag(schema, of)).map(Defined::Beneath),
                };
                let Some(defined) = defined.filter(|_| of != superstructure) else { continue };
                let met = best.get_index_of(&defined).unwrap_or(best.len());
                let likelihood = (u8::from(!here.contains_key(&of)), rank_commonness(schema, defined), met);
                let entry = best.entry(defined).or_insert((likelihood, of));
                *entry = (*entry).min((likelihood, of));
            }
        }
        let mut sorted: Vec<_> =
            best.into_iter().map(|(defined, (likelihood, of))| (likelihood, defined, of)).collect();
        sorted.sort_unstable_by_key(|(likelihood, ..)| *likelihood);
        Some(Places { schema, superstructure, sorted })
    }

    /// Returns a text that says where `tag` is defined; `None` if it is not defined anywhere.
    fn describe_places(&self, tag: &str) -> Option<String> {
        let named = self.sorted.iter().take(NAMED);
        let record = named.clone().any(|(_, defined, _)| *defined == Defined::Record);
        let beneath =
            named.filter_map(|(_, defined, of)| self.describe_superstructure(*defined, *of)).collect();
        defined_at(tag, record, beneath, self.sorted.len().saturating_sub(NAMED))
    }

    fn describe_superstructure(&self, defined: Defined, of: TypeId) -> Option<String> {
        let tag = match defined {
            Defined::Record => return None,
            Defined::Head => return Some("`HEAD`".to_owned()),
            Defined::Beneath(tag) => tag,
        };
        // If a tag has two types, name them to distinguish them.
        let is_same = first_tag(self.schema, self.superstructure) == Some(tag);
        let tag = self.schema.tag(tag);
        Some(if is_same { tag_with_type(self.schema, of, tag) } else { format!("`{}`", shorten_text(tag)) })
    }
}

fn first_tag(schema: &Schema, of: TypeId) -> Option<u32> {
    let first = schema.tag_index().of_type(of).next()?;
    Some(schema.content().definition(first).tag)
}

/// Ranks a superstructure by how many files have it.
fn rank_commonness(schema: &Schema, defined: Defined) -> usize {
    match defined {
        Defined::Record => COMMON.len() + 1,
        Defined::Head => COMMON.len(),
        Defined::Beneath(tag) => near::commonness(schema.tag(tag)),
    }
}
