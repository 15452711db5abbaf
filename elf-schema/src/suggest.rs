//! Help about tags that nothing defines where they stand: where they are defined, and which tags that are
//! defined there are spelled nearly alike.
//!
//! Schemas come from strangers: what is looked at for one tag is bounded, however much they define.

use crate::Resolver;
use crate::build::brief;
use crate::schema::{Schema, TypeId};
use indexmap::IndexMap;
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

/// The most places and tags that help names.
const NAMED: usize = 3;

/// The most tags beneath one type among which similar ones are looked for.
const ROW: usize = 1000;

/// The longest tag, in characters, for which similar ones are looked for.
const LONGEST: usize = 32;

/// The work that the places of one tag may take: definitions and types passed.
const STEPS: usize = 500;

/// Tags of superstructures that nearly every file has, the likeliest first.
const COMMON: [&str; 9] = ["SOUR", "BIRT", "DEAT", "MARR", "INDI", "FAM", "NAME", "PLAC", "NOTE"];

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
        let mut index =
            TagIndex { by_tag: vec![Vec::new(); schema.tags.len()], by_type: vec![Vec::new(); schema.len()] };
        for (definition, number) in schema.definitions.iter().zip(0..) {
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
        let (distance, near) = near(&schema, here, tag);
        if distance == 0 {
            return Some(meant(&near));
        }
        let elsewhere = [tag, &tag.to_ascii_uppercase()]
            .into_iter()
            .find_map(|tag| Places::of(&schema, here, superstructure, tag)?.text(tag));
        match elsewhere {
            Some(mut text) => {
                // A tag that has its own places is seldom another one misspelled.
                if distance == 1 {
                    let _ = write!(text, "; or {}", meant(&near));
                }
                Some(text)
            }
            None => (!near.is_empty()).then(|| meant(&near)),
        }
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
        let Some(number) = completed.tags.get_index_of(tag) else { return false };
        let all = self.completed.get_or_insert_with(|| Box::new(Resolver::new(Arc::clone(completed))));
        let row = all.row(of).unwrap_or_default();
        row.binary_search_by_key(&number, |(tag, _)| *tag as usize).is_ok()
    }
}

/// Returns the tag of a type of the schema for a message: with the type, where it stands for several types.
pub(crate) fn tag_of_type(schema: &Schema, of: TypeId, tag: &str) -> String {
    let number = schema.tags.get_index_of(tag).map(|number| TypeId::of(number).0);
    let definitions = number.map(|number| schema.tag_index().of_tag(number)).unwrap_or_default();
    let mut types = definitions.iter().filter_map(|&number| schema.definitions.get(number as usize));
    match types.any(|definition| definition.structure_type != of) {
        true => with_type(schema, of, tag),
        false => format!("`{}`", brief(tag)),
    }
}

fn with_type(schema: &Schema, of: TypeId, tag: &str) -> String {
    let iri = schema.prefixes().shorten(schema.iri(of).unwrap_or_default());
    format!("`{}` ({})", brief(tag), brief(&iri))
}

fn meant(tags: &[&str]) -> String {
    format!("is {} meant?", listed(tags.iter().map(|tag| format!("`{}`", brief(tag))), "or"))
}

/// Joins items as a sentence has them.
fn listed(items: impl Iterator<Item = String>, last: &str) -> String {
    let mut items: Vec<String> = items.collect();
    match (items.pop(), items.is_empty()) {
        (Some(only), true) => only,
        (Some(end), false) => format!("{} {last} {end}", items.join(", ")),
        (None, _) => String::new(),
    }
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
        let number = TypeId::of(schema.tags.get_index_of(tag)?).0;
        let index = schema.tag_index();
        let here: HashMap<TypeId, u32> = here.iter().map(|&(tag, of)| (of, tag)).collect();
        let mut best: IndexMap<Defined, (Likelihood, TypeId)> = IndexMap::new();
        let mut steps = STEPS;
        for &definition in index.of_tag(number) {
            let Some(definition) = schema.definitions.get(definition as usize) else { continue };
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
        let (named, more) = self.sorted.split_at(self.sorted.len().min(NAMED));
        let record = named.iter().any(|(_, defined, _)| *defined == Defined::Record);
        let mut beneath: Vec<String> =
            named.iter().filter_map(|(_, defined, of)| self.beneath(*defined, *of)).collect();
        if !more.is_empty() {
            beneath.push(format!("{} more", more.len()));
        }
        let mut text = format!("`{}` is defined", brief(tag));
        match (record, beneath.is_empty()) {
            (true, true) => text.push_str(" as a record"),
            (true, false) => text.push_str(" as a record and beneath "),
            (false, true) => return None,
            (false, false) => text.push_str(" beneath "),
        }
        Some(text + &listed(beneath.into_iter(), "and"))
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
    schema.definitions.get(first as usize).map(|definition| definition.tag)
}

/// Returns the rank of a superstructure by how many files have it.
fn commonness(schema: &Schema, defined: Defined) -> usize {
    let rank = |tag: &str| COMMON.iter().position(|common| *common == tag).unwrap_or(COMMON.len());
    match defined {
        Defined::Record => COMMON.len() + 1,
        Defined::Head => COMMON.len(),
        Defined::Beneath(tag) => rank(schema.tag(tag)),
    }
}

/// Returns the tags of `here` that are spelled most nearly as `tag` is, whatever the case of letters, and how
/// many slips they are away: at most two. Of two that are equally near, the one that is as long is nearer.
fn near<'s>(schema: &'s Schema, here: &[(u32, TypeId)], tag: &str) -> (usize, Vec<&'s str>) {
    let Some(letters) = Letters::of(tag) else { return (usize::MAX, Vec::new()) };
    let mut nearest = (usize::MAX, true);
    let mut tags = Vec::new();
    for &(number, of) in here {
        let Some(defined) = Letters::of(schema.tag(number)).filter(|_| of != TypeId::NONE) else { continue };
        let Some(slips) = letters.slips_to(&defined) else { continue };
        let nearness = (slips, letters.count != defined.count);
        if nearness < nearest {
            nearest = nearness;
            tags.clear();
        }
        if nearness == nearest && tags.len() < NAMED {
            tags.push(schema.tag(number));
        }
    }
    (nearest.0, tags)
}

/// The characters of a tag that is not too long, in capitals.
struct Letters {
    all: [char; LONGEST],
    count: usize,
}

impl Letters {
    fn of(tag: &str) -> Option<Letters> {
        let mut letters = Letters { all: ['\0'; LONGEST], count: 0 };
        for letter in tag.chars() {
            *letters.all.get_mut(letters.count)? = letter.to_ascii_uppercase();
            letters.count += 1;
        }
        Some(letters)
    }

    fn as_slice(&self) -> &[char] {
        self.all.get(..self.count).unwrap_or_default()
    }

    /// The number of slips between two tags, if they are two at most: a letter that is missing, too many, or
    /// another one, or two neighbours that changed places. Of two slips, most letters must have stayed as
    /// they are: `NOTE` is no `NAME`.
    fn slips_to(&self, other: &Letters) -> Option<usize> {
        if self.count.abs_diff(other.count) > 2 {
            return None;
        }
        let (one, other) = (self.as_slice(), other.as_slice());
        let longer = one.len().max(other.len());
        match distance(one, other) {
            0 => Some(0),
            1 if longer > 2 => Some(1),
            2 if common(one, other) >= 3 => Some(2),
            _ => None,
        }
    }
}

/// A row of a table of pairs of prefixes.
type TableRow = [usize; LONGEST + 1];

/// The distance of Damerau and Levenshtein in which no letter is moved twice.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut before: TableRow = [0; LONGEST + 1];
    let mut above: TableRow = std::array::from_fn(|column| column);
    for (row, letter) in one.iter().enumerate() {
        let mut current: TableRow = [row + 1; LONGEST + 1];
        for (column, facing) in other.iter().enumerate() {
            let at = |row: &TableRow, column: usize| row.get(column).copied().unwrap_or(usize::MAX);
            let replaced = at(&above, column) + usize::from(letter != facing);
            let mut least = replaced.min(at(&above, column + 1) + 1).min(at(&current, column) + 1);
            let letter_before = row.checked_sub(1).and_then(|row| one.get(row));
            let facing_before = column.checked_sub(1).and_then(|column| other.get(column));
            if letter_before == Some(facing) && facing_before == Some(letter) {
                least = least.min(at(&before, column.saturating_sub(1)) + 1);
            }
            if let Some(entry) = current.get_mut(column + 1) {
                *entry = least;
            }
        }
        (before, above) = (above, current);
    }
    above.get(other.len()).copied().unwrap_or(usize::MAX)
}

/// The length of the longest sequence of letters that both have, in order.
fn common(one: &[char], other: &[char]) -> usize {
    let mut above: TableRow = [0; LONGEST + 1];
    for letter in one {
        let mut current: TableRow = [0; LONGEST + 1];
        for (column, facing) in other.iter().enumerate() {
            let at = |row: &TableRow, column: usize| row.get(column).copied().unwrap_or_default();
            let most = match letter == facing {
                true => at(&above, column) + 1,
                false => at(&above, column + 1).max(at(&current, column)),
            };
            if let Some(entry) = current.get_mut(column + 1) {
                *entry = most;
            }
        }
        above = current;
    }
    above.get(other.len()).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slips(one: &str, other: &str) -> Option<usize> {
        Letters::of(one)?.slips_to(&Letters::of(other)?)
    }

    #[test]
    fn slips_are_counted() {
        for (one, other, expected) in [
            ("birt", "BIRT", Some(0)),
            ("BRTH", "BIRT", Some(2)),
            ("BRIT", "BIRT", Some(1)),
            ("NAM", "NAME", Some(1)),
            ("NAMEE", "NAME", Some(1)),
            ("NAMW", "NAME", Some(1)),
            ("NOTE", "NAME", None),
            ("SEX", "AGE", None),
            ("A", "B", None),
            ("OCUPA", "OCCU", None),
            ("EMAILS", "EMAI", Some(2)),
            ("", "A", None),
        ] {
            assert_eq!(slips(one, other), expected, "{one} {other}");
            assert_eq!(slips(other, one), expected, "{other} {one}");
        }
        assert_eq!(slips(&"X".repeat(LONGEST), &"X".repeat(LONGEST - 1)), Some(1));
        assert_eq!(slips(&"X".repeat(LONGEST + 1), &"X".repeat(LONGEST + 1)), None);
    }
}
