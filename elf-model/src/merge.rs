//! Merging two datasets: equal records become one, all others are kept.

use crate::change::{ChangeError, Position};
use crate::dataset::Dataset;
use crate::meaning::{RecordPair, is_same_language};
use crate::nodes::NONE;
use crate::structure::{Structure, Target};
use elf_schema::TypeId;
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;
use std::fmt;

/// The treatment of corresponding records that are not equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Differing {
    /// Both are kept, and so are all records that point to one of them: nothing is lost.
    #[default]
    KeepBoth,
    /// The record of the first dataset is kept, and pointers to that of the second are changed to it. Data that
    /// only the second record has is lost.
    KeepFirst,
}

/// The result of a merge.
#[derive(Debug)]
#[non_exhaustive]
pub struct Merged<'d> {
    /// All records of the first dataset, then those of the second that were not joined with one of them. The
    /// header is that of the first.
    pub dataset: Dataset,
    /// The number of records of the second dataset that were joined with one of the first.
    pub joined: usize,
    /// What may need a decision, or was changed: in the headers, in records in their order, in identifiers, and
    /// in types.
    pub notes: Vec<MergeNote<'d>>,
}

/// Something that may need a decision after a merge. It displays as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MergeNote<'d> {
    /// The payload languages of the two headers differ. Strings of the second dataset that do not name their
    /// language have that of the first now.
    Language(Option<&'d str>, Option<&'d str>),
    /// A structure of the second header that the first has not, or has with another payload. It was left out.
    Metadata(Structure<'d>),
    /// A record of the first dataset and the corresponding one of the second differ: see [`Differing`].
    Differs(Structure<'d>, Structure<'d>),
    /// Two equal records were both kept because they lead to records that differ.
    KeptApart(Structure<'d>, Structure<'d>),
    /// An identifier of the second dataset that was taken, and its replacement.
    Renamed(String, String),
    /// The first structure of its kind in the second dataset whose tag has another type in the schema of the
    /// first. It keeps its type; [`Dataset::tagged_by`] finds tags and a schema to write it with.
    Type(Structure<'d>, Option<String>),
    /// A type that has other supertypes in the schema of the second dataset. It has those of both now.
    Supertypes(&'d str),
}

impl fmt::Display for MergeNote<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeNote::Language(one, two) => {
                let [one, two] = [one, two].map(|language| language.unwrap_or("und"));
                write!(f, "the payload language is `{one}` in the first and `{two}` in the second")
            }
            MergeNote::Metadata(structure) => {
                write!(f, "{} of the second header was left out", structure.tag())
            }
            MergeNote::Differs(one, two) => write!(f, "{} and {} differ", Called(*one), Called(*two)),
            MergeNote::KeptApart(one, two) => {
                write!(f, "{} and {} are equal, but lead to records that differ", Called(*one), Called(*two))
            }
            MergeNote::Renamed(from, to) => write!(f, "`@{from}@` of the second dataset is `@{to}@` now"),
            MergeNote::Type(structure, Some(other)) => {
                let of = structure.structure_type().unwrap_or("unknown");
                write!(f, "{} has the type `{of}`, but `{other}` in the first dataset", structure.tag())
            }
            MergeNote::Type(structure, None) => {
                write!(f, "{} has no type in the first dataset", structure.tag())
            }
            MergeNote::Supertypes(of) => write!(f, "`{of}` has other supertypes in the second dataset"),
        }
    }
}

/// Displays a record by its tag and its identifier.
struct Called<'d>(Structure<'d>);

impl fmt::Display for Called<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.xref() {
            Some(xref) => write!(f, "{} `@{xref}@`", self.0.tag()),
            None => f.write_str(self.0.tag()),
        }
    }
}

impl Dataset {
    /// Merges another dataset into a copy of this one.
    ///
    /// Records are equal if [`differences`](Dataset::differences) finds no difference and all records that they
    /// point to are equal too. Equal records become one, whatever their identifiers. All other records of the
    /// second dataset are appended with identifiers that are unused here. [Notes](MergeNote) list what may need
    /// a decision.
    ///
    /// # Errors
    ///
    /// [`ChangeError::TooLarge`] if both together are more than a dataset can hold.
    ///
    /// ```
    /// use elf_model::{Differing, MergeNote, ReadOptions, Rules};
    /// let read = |octets: &str| {
    ///     elf_model::read(octets.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
    /// };
    /// let one = read("0 HEAD\n0 @S1@ SOUR\n1 TITL Parish register\n0 @I1@ INDI\n1 NAME Ada\n0 TRLR\n")?;
    /// let two = read("0 HEAD\n0 @S9@ SOUR\n1 TITL Parish register\n0 @I1@ INDI\n1 NAME Eve\n1 SOUR @S9@\n0 TRLR\n")?;
    /// let merged = one.merge(&two, Differing::KeepBoth)?;
    /// assert_eq!((merged.joined, merged.dataset.records().count()), (1, 3));
    /// let source = merged.dataset.find(&"@I2@/SOUR".parse()?)?[0];
    /// assert_eq!(source.pointer(), Some("S1"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge<'d>(&'d self, other: &'d Dataset, differing: Differing) -> Result<Merged<'d>, ChangeError> {
        let mut notes = Vec::new();
        let [one, two] = [self, other].map(|dataset| dataset.header().language.as_deref());
        if !is_same_language(one, two) {
            notes.push(MergeNote::Language(one, two));
        }
        let counterparts = self.counterparts(other);
        notes.extend(counterparts.metadata.iter().copied().map(MergeNote::Metadata));
        let joined = joined(other, &counterparts.records, differing);
        for &RecordPair { one, two, is_equal } in &counterparts.records {
            match (is_equal, joined.contains_key(&two.id)) {
                (true, true) => {}
                (true, false) => notes.push(MergeNote::KeptApart(one, two)),
                (false, _) => notes.push(MergeNote::Differs(one, two)),
            }
        }

        let mut merged = self.clone().into_mut();
        let mut known: HashMap<&str, String> = HashMap::new();
        for (&two, one) in &joined {
            let Some(xref) = (Structure { dataset: other, id: two }).xref() else { continue };
            let here = match one.xref() {
                Some(here) => here.to_owned(),
                None => {
                    let here = merged.unused_xref(xref.trim_end_matches(|c: char| c.is_ascii_digit()));
                    if let Some(id) = merged.id(one.index()) {
                        merged.set_xref(id, Some(&here))?;
                    }
                    here
                }
            };
            known.insert(xref, here);
        }
        let known = known.iter().map(|(from, to)| (*from, to.as_str())).collect();
        let records: Vec<Structure<'_>> =
            other.records().filter(|record| !joined.contains_key(&record.id)).collect();
        let appended = merged.append_with(Position::LastRecord, records.clone(), &known)?;
        notes.extend(appended.renamed.into_iter().map(|(from, to)| MergeNote::Renamed(from, to)));
        notes.extend(self.other_types(&records));
        notes.extend(self.other_supertypes(other).into_iter().map(MergeNote::Supertypes));
        Ok(Merged { dataset: merged.finish()?, joined: joined.len(), notes })
    }

    /// Finds the structures of another dataset whose tags have other types here: the first of each tag under
    /// each type.
    fn other_types<'d>(&self, records: &[Structure<'d>]) -> Vec<MergeNote<'d>> {
        let Some(typed_by) = &self.typed_by else { return Vec::new() };
        let mut resolver = typed_by.resolver();
        let mut seen: HashSet<(u32, u32)> = HashSet::new();
        let mut notes = Vec::new();
        // The structures around the one at hand: their ends, their types here, and whether these are the same.
        let mut open: Vec<(u32, TypeId, bool)> = Vec::new();
        for structure in records.iter().flat_map(|record| record.subtree()) {
            while open.last().is_some_and(|&(end, ..)| end <= structure.id) {
                open.pop();
            }
            let (above, is_same_above) =
                open.last().map_or((TypeId::DOCUMENT, true), |&(_, of, is_same)| (of, is_same));
            let of = resolver.resolve(above, structure.tag());
            let is_same = resolver.iri(of) == structure.structure_type();
            let kind = structure.superstructure().map_or(NONE, |above| above.data().structure_type);
            // Under a structure of another type, other types are expected and not worth a note.
            if !is_same && is_same_above && seen.insert((kind, structure.data().tag)) {
                notes.push(MergeNote::Type(structure, resolver.iri(of).map(str::to_owned)));
            }
            open.push((structure.data().next, of, is_same));
        }
        notes
    }

    /// Finds the types of both datasets that have other direct supertypes in the other one.
    fn other_supertypes<'d>(&self, other: &'d Dataset) -> Vec<&'d str> {
        let mut above: BTreeMap<&str, [Vec<&str>; 2]> = BTreeMap::new();
        for (of, supertype) in self.types.edges() {
            above.entry(of).or_default()[0].push(supertype);
        }
        for (of, supertype) in other.types.edges() {
            above.entry(of).or_default()[1].push(supertype);
        }
        let mut others: Vec<&'d str> = Vec::new();
        for (of, [mut ones, mut twos]) in above {
            ones.sort_unstable();
            twos.sort_unstable();
            let is_in_both = self.types.find(of).is_some();
            if let (true, true, Some(number)) = (ones != twos, is_in_both, other.types.find(of)) {
                others.extend(other.types.iri(number));
            }
        }
        others
    }
}

/// Chooses the records of `other` that are joined with their counterpart. Returns the counterparts by the
/// indices of these records.
fn joined<'d>(
    other: &'d Dataset,
    counterparts: &[RecordPair<'d>],
    differing: Differing,
) -> BTreeMap<u32, Structure<'d>> {
    let mut joined: BTreeMap<u32, Structure<'d>> = counterparts
        .iter()
        .filter(|pair| pair.is_equal || differing == Differing::KeepFirst)
        .map(|pair| (pair.two.id, pair.one))
        .collect();
    let record = |structure: Structure<'d>| structure.ancestors().last().map_or(NONE, |record| record.id);
    let mut referrers: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut apart: Vec<u32> = Vec::new();
    for pointer in other.structures().filter(|pointer| !pointer.is_metadata()) {
        let Some(target) = pointer.target() else { continue };
        referrers.entry(record(target)).or_default().push(record(pointer));
        if target.superstructure().is_some() {
            // The corresponding identifier in the counterpart is not known.
            apart.push(record(target));
        }
    }
    for (&two, &one) in &joined {
        let is_one_of_several = |record: Structure<'_>| {
            record.xref().is_some_and(|xref| record.dataset.resolve(xref) == Target::Several)
        };
        // A pointer to several records is unresolved, and would lead to the one that is left.
        if is_one_of_several(one) || is_one_of_several(Structure { dataset: other, id: two }) {
            apart.push(two);
        }
    }
    for two in &apart {
        joined.remove(two);
    }
    if differing == Differing::KeepFirst {
        return joined;
    }
    // A record that points to a record that is not joined is not joined either, and so on.
    let mut waiting: Vec<u32> =
        other.records().map(|record| record.id).filter(|id| !joined.contains_key(id)).collect();
    while let Some(two) = waiting.pop() {
        for referrer in referrers.remove(&two).unwrap_or_default() {
            if joined.remove(&referrer).is_some() {
                waiting.push(referrer);
            }
        }
    }
    joined
}
