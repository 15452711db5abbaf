//! Merges two datasets. Equal records become one record, and all other records are kept.

use crate::arena::DatasetTooLarge;
use crate::change::{Batch, ChangeError, DatasetMut, Position};
use crate::dataset::Dataset;
use crate::meaning::{Counterparts, GivenPair, RecordPair, is_same_language};
use crate::nodes::NONE;
use crate::structure::{Structure, Target};
use elf_schema::TypeId;
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;
use std::fmt;
use std::hash::Hash;

/// The treatment of corresponding records that differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Differing {
    /// Both records are kept, and so are all records that point to one of them. Nothing is lost.
    #[default]
    KeepBoth,
    /// The record of the first dataset is kept. Pointers to the record of the second dataset are changed to point to
    /// the record of the first. Data that only the second record has is lost.
    KeepFirst,
    /// The records are combined: the record of the first dataset gets all direct substructures of the second record
    /// that contain something new. Nothing is lost, but two different births, for example, are both kept. If the
    /// payloads of the records themselves differ, as with the text of a note, both records are kept.
    Combine,
}

/// The reason why two datasets were not merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// One dataset is GEDCOM 7 and the other is not, so their tags have different meanings. Use `elf-migrate` to
    /// convert one of them to the standard of the other.
    #[error("one dataset is GEDCOM 7.0 and the other is not: migrate one of them first")]
    TwoStandards,
    /// A structure in a given pair is not a record of its dataset.
    #[error("expected a record of each dataset")]
    NotARecord,
    /// The merged dataset would be too large.
    #[error(transparent)]
    Change(#[from] ChangeError),
}

impl From<DatasetTooLarge> for MergeError {
    fn from(error: DatasetTooLarge) -> MergeError {
        MergeError::Change(error.into())
    }
}

/// A pair of records that represent the same person, source or other thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a caller makes it")]
pub struct SameRecord<'d> {
    /// The record of the first dataset.
    pub one: Structure<'d>,
    /// The record of the second dataset.
    pub two: Structure<'d>,
}

/// The result of a merge. The result borrows nothing from the merged datasets.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Merged {
    /// The merged dataset. The merged dataset has all records of the first dataset, followed by the records of the
    /// second dataset that were not joined with a record of the first. The header is that of the first dataset.
    pub dataset: Dataset,
    /// The number of records of the second dataset that were joined with a record of the first.
    pub joined: usize,
    /// The changes and differences about which you may have to decide something.
    pub notes: Vec<MergeNote>,
}

/// A structure of one of the merged datasets, which a note is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotedStructure {
    /// The [index](Structure::index) of the structure in its dataset.
    pub index: usize,
    /// The tag of the structure.
    pub tag: String,
    /// The identifier of the structure, without at signs.
    pub xref: Option<String>,
}

impl NotedStructure {
    fn new(structure: Structure<'_>) -> NotedStructure {
        NotedStructure {
            index: structure.index(),
            tag: structure.tag().to_owned(),
            xref: structure.xref().map(str::to_owned),
        }
    }
}

impl fmt::Display for NotedStructure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.xref {
            Some(xref) => write!(f, "{} `@{xref}@`", self.tag),
            None => f.write_str(&self.tag),
        }
    }
}

/// A change or difference about which you may have to decide something after a merge. A note is displayed as a
/// sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MergeNote {
    /// The payload languages of the two headers differ. Strings of the second dataset that do not name their language
    /// now have the language of the first.
    Language(Option<String>, Option<String>),
    /// A structure of the second header that the first header lacks, or has with another payload. The structure was
    /// left out.
    Metadata(NotedStructure),
    /// A record of the first dataset differs from the corresponding record of the second. See [`Differing`].
    Differs(NotedStructure, NotedStructure),
    /// Two equal records were both kept because they point to records that differ.
    KeptApart(NotedStructure, NotedStructure),
    /// An identifier of the second dataset that was in use in the first dataset, and its replacement.
    Renamed(String, String),
    /// A structure of the second dataset whose tag has another type in the schema of the first dataset. The structure
    /// is the first one of its kind. The note contains its type and the type that the first dataset gives to the tag.
    /// The structure keeps its type; use [`Dataset::tagged_by`] to find tags and a schema with which it can be written.
    Type(NotedStructure, Option<String>, Option<String>),
    /// A type that has other supertypes in the schema of the second dataset. The type now has the supertypes of both.
    Supertypes(String),
}

impl fmt::Display for MergeNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeNote::Language(one, two) => {
                let [one, two] = [one, two].map(|language| language.as_deref().unwrap_or("und"));
                write!(f, "the payload language is `{one}` in the first and `{two}` in the second")
            }
            MergeNote::Metadata(structure) => {
                write!(f, "left out {} of the second header", structure.tag)
            }
            MergeNote::Differs(one, two) => write!(f, "{one} and {two} differ"),
            MergeNote::KeptApart(one, two) => {
                write!(f, "{one} and {two} are equal, but point to records that differ")
            }
            MergeNote::Renamed(from, to) => {
                write!(f, "`@{from}@` of the second dataset is renamed to `@{to}@`")
            }
            MergeNote::Type(structure, of, Some(other)) => {
                let of = of.as_deref().unwrap_or("unknown");
                write!(f, "{} has the type `{of}`, but in the first dataset it has `{other}`", structure.tag)
            }
            MergeNote::Type(structure, _, None) => {
                write!(f, "{} has no type in the first dataset", structure.tag)
            }
            MergeNote::Supertypes(of) => write!(f, "`{of}` has other supertypes in the second dataset"),
        }
    }
}

impl Dataset {
    /// Merges another dataset into a copy of this one.
    ///
    /// Records are equal if [`differences`](Dataset::differences) finds no difference and all records to which they
    /// point are equal too. Equal records become one, whatever their identifiers are. All other records of the second
    /// dataset are appended, with identifiers that are unused in this dataset. [Notes](MergeNote) list the changes and
    /// differences about which you may have to decide something.
    ///
    /// # Errors
    ///
    /// Returns [`MergeError::TwoStandards`] if only one of the datasets is GEDCOM 7. Returns [`MergeError::Change`] if
    /// both together are more than a dataset can hold.
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
    pub fn merge(&self, other: &Dataset, differing: Differing) -> Result<Merged, MergeError> {
        self.merge_given(other, &[], differing)
    }

    /// Merges another dataset into a copy of this one, as [`merge`](Dataset::merge) does, but with your own criterion.
    /// Two records are the same if `key` returns the same value for both, and for no other record of their datasets.
    /// Records without a key, or with a key that is not unique, are compared as in `merge`.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`merge`](Dataset::merge).
    ///
    /// ```
    /// use elf_model::{Differing, ReadOptions, Rules, Structure};
    ///
    /// let read = |octets: &str| {
    ///     elf_model::read(octets.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
    /// };
    /// let one = read("0 HEAD\n0 @I1@ INDI\n1 NAME Ada /King/\n1 BIRT\n2 DATE 1815\n0 TRLR\n")?;
    /// let two = read("0 HEAD\n0 @I7@ INDI\n1 NAME Ada /KING/\n1 SEX F\n0 TRLR\n")?;
    /// let name = |record: Structure<'_>| Some(record.substructure("NAME")?.text().to_lowercase());
    /// let merged = one.merge_by(&two, Differing::Combine, name)?;
    /// let tags = merged.dataset.structures().map(|structure| structure.tag()).collect::<Vec<_>>();
    /// assert_eq!(tags, ["INDI", "NAME", "BIRT", "DATE", "NAME", "SEX"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge_by<K: Eq + Hash>(
        &self,
        other: &Dataset,
        differing: Differing,
        key: impl Fn(Structure<'_>) -> Option<K>,
    ) -> Result<Merged, MergeError> {
        let [ones, twos] = [self, other].map(|dataset| collect_unique_keys(dataset, &key));
        let mut given: Vec<GivenPair> = ones
            .into_iter()
            .filter_map(|(key, one)| Some(GivenPair { one: one?, two: (*twos.get(&key)?)? }))
            .collect();
        given.sort_by_key(|pair| pair.one);
        self.merge_given(other, &given, differing)
    }

    /// Merges another dataset into a copy of this one, as [`merge`](Dataset::merge) does, with pairs of records that
    /// you know to be the same. If a record is in two pairs, the first pair is used. Pairs of records of different
    /// types are ignored.
    ///
    /// # Errors
    ///
    /// Returns [`MergeError::NotARecord`] if a structure is not a record of its dataset. Otherwise, returns the same
    /// errors as [`merge`](Dataset::merge).
    pub fn merge_pairs<'d>(
        &self,
        other: &Dataset,
        differing: Differing,
        pairs: impl IntoIterator<Item = SameRecord<'d>>,
    ) -> Result<Merged, MergeError> {
        let record = |structure: Structure<'_>, of: &Dataset| {
            let is_record = std::ptr::eq(structure.dataset, of) && structure.is_record();
            if is_record { Ok(structure.id) } else { Err(MergeError::NotARecord) }
        };
        let given = pairs
            .into_iter()
            .map(|same| Ok(GivenPair { one: record(same.one, self)?, two: record(same.two, other)? }))
            .collect::<Result<Vec<GivenPair>, MergeError>>()?;
        self.merge_given(other, &given, differing)
    }

    fn merge_given(
        &self,
        other: &Dataset,
        given: &[GivenPair],
        differing: Differing,
    ) -> Result<Merged, MergeError> {
        if self.is_gedcom_7() != other.is_gedcom_7() {
            return Err(MergeError::TwoStandards);
        }
        let counterparts = self.find_counterparts(other, given);
        let joined = choose_joined_records(other, &counterparts.records, differing);
        let mut notes = self.collect_notes(other, &counterparts, &joined);

        let mut merged = self.clone().into_mut();
        let known = map_joined_xrefs(&mut merged, other, &joined)?;
        let known = known.iter().map(|(from, to)| (*from, to.as_str())).collect();
        let records: Vec<Structure<'_>> =
            other.records().filter(|record| !joined.contains_key(&record.id)).collect();
        let mut batches = vec![Batch { at: Position::LastRecord, structures: records.clone() }];
        if differing == Differing::Combine {
            batches.extend(collect_new_substructures(&merged, &counterparts.records, &joined));
        }
        let appended = merged.append_batches(batches, &known)?;
        notes.extend(appended.renamed.into_iter().map(|(from, to)| MergeNote::Renamed(from, to)));
        notes.extend(self.find_type_differences(&records));
        notes.extend(self.find_supertype_differences(other).into_iter().map(MergeNote::Supertypes));
        Ok(Merged { dataset: merged.finish()?, joined: joined.len(), notes })
    }

    fn collect_notes(
        &self,
        other: &Dataset,
        counterparts: &Counterparts<'_>,
        joined: &Joined<'_>,
    ) -> Vec<MergeNote> {
        let mut notes = Vec::new();
        let [one, two] = [self, other].map(|dataset| dataset.header().language.as_deref());
        if !is_same_language(one, two) {
            notes.push(MergeNote::Language(one.map(str::to_owned), two.map(str::to_owned)));
        }
        let metadata = counterparts.metadata.iter().copied();
        notes.extend(metadata.map(|structure| MergeNote::Metadata(NotedStructure::new(structure))));
        for pair in &counterparts.records {
            let [one, two] = [pair.one, pair.two].map(NotedStructure::new);
            match (pair.is_equal, joined.contains_key(&pair.two.id)) {
                (true, true) => {}
                (true, false) => notes.push(MergeNote::KeptApart(one, two)),
                (false, _) => notes.push(MergeNote::Differs(one, two)),
            }
        }
        notes
    }

    /// Finds the tags that have another type in the schema of this dataset. Returns a note for each such tag under each
    /// type of superstructure.
    fn find_type_differences(&self, records: &[Structure<'_>]) -> Vec<MergeNote> {
        let Some(typed_by) = &self.typed_by else { return Vec::new() };
        let mut resolver = typed_by.new_resolver();
        let mut seen: HashSet<(u32, u32)> = HashSet::new();
        let mut notes = Vec::new();
        // The structures that contain the current structure. Each has its end, its type in this dataset, and whether
        // that is its own type.
        let mut open: Vec<(u32, TypeId, bool)> = Vec::new();
        for structure in records.iter().flat_map(|record| record.subtree()) {
            while open.last().is_some_and(|&(end, ..)| end <= structure.id) {
                open.pop();
            }
            let (above, is_same_above) =
                open.last().map_or((TypeId::DOCUMENT, true), |&(_, of, is_same)| (of, is_same));
            let of = resolver.resolve(above, structure.tag());
            let is_same = resolver.iri(of) == structure.structure_type();
            let kind = structure.superstructure().map_or(NONE, |above| above.node().structure_type);
            // If a type differs only because the superstructure's type differs, it needs no note.
            if !is_same && is_same_above && seen.insert((kind, structure.node().tag)) {
                let [of, other] =
                    [structure.structure_type(), resolver.iri(of)].map(|iri| iri.map(str::to_owned));
                notes.push(MergeNote::Type(NotedStructure::new(structure), of, other));
            }
            open.push((structure.node().next, of, is_same));
        }
        notes
    }

    /// Returns the types of both datasets whose direct supertypes are not the same in both.
    fn find_supertype_differences(&self, other: &Dataset) -> Vec<String> {
        let mut above: BTreeMap<&str, [Vec<&str>; 2]> = BTreeMap::new();
        for (of, supertype) in self.types.supertype_iris() {
            above.entry(of).or_default()[0].push(supertype);
        }
        for (of, supertype) in other.types.supertype_iris() {
            above.entry(of).or_default()[1].push(supertype);
        }
        let mut others: Vec<String> = Vec::new();
        for (of, [mut ones, mut twos]) in above {
            ones.sort_unstable();
            twos.sort_unstable();
            let is_in_both = self.types.find(of).is_some();
            if let (true, true, Some(number)) = (ones != twos, is_in_both, other.types.find(of)) {
                others.extend(other.types.iri(number).map(str::to_owned));
            }
        }
        others
    }
}

/// The joined records. The map leads from the index of a record of the second dataset to its counterpart in the first.
type Joined<'d> = BTreeMap<u32, Structure<'d>>;

/// Returns the record that has each key. Returns `None` for a key that several records have.
fn collect_unique_keys<K: Eq + Hash>(
    dataset: &Dataset,
    key: &impl Fn(Structure<'_>) -> Option<K>,
) -> HashMap<K, Option<u32>> {
    let mut unique = HashMap::new();
    for record in dataset.records() {
        if let Some(key) = key(record) {
            unique.entry(key).and_modify(|known| *known = None).or_insert(Some(record.id));
        }
    }
    unique
}

/// Maps the identifiers of joined records of `other` to the identifiers of their counterparts in `merged`. A
/// counterpart without an identifier gets one.
fn map_joined_xrefs<'o>(
    merged: &mut DatasetMut,
    other: &'o Dataset,
    joined: &Joined<'_>,
) -> Result<HashMap<&'o str, String>, ChangeError> {
    let mut known = HashMap::new();
    for (&two, one) in joined {
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
    Ok(known)
}

/// Returns the direct substructures of joined records of the second dataset that contain something new. This is content
/// that the counterpart lacks, or a pointer to a record that is not joined.
fn collect_new_substructures<'d>(
    merged: &DatasetMut,
    counterparts: &[RecordPair<'d>],
    joined: &Joined<'_>,
) -> Vec<Batch<'d>> {
    let mut batches = Vec::new();
    for pair in counterparts.iter().filter(|pair| joined.contains_key(&pair.two.id)) {
        let new: HashSet<u32> = pair.of_two.iter().map(|structure| structure.id).collect();
        let leads_apart = |structure: Structure<'_>| {
            structure.target().is_some_and(|target| !joined.contains_key(&record_index_of(target)))
        };
        let is_new = |structure: &Structure<'_>| {
            structure.subtree().any(|each| new.contains(&each.id) || leads_apart(each))
        };
        let structures: Vec<Structure<'d>> = pair.two.substructures().filter(is_new).collect();
        if let Some(one) = merged.id(pair.one.index()).filter(|_| !structures.is_empty()) {
            batches.push(Batch { at: Position::LastIn(one), structures });
        }
    }
    batches
}

fn record_index_of(structure: Structure<'_>) -> u32 {
    structure.with_ancestors().last().map_or(NONE, |record| record.id)
}

/// Chooses the records of `other` that are joined with their counterparts.
fn choose_joined_records<'d>(
    other: &Dataset,
    counterparts: &[RecordPair<'d>],
    differing: Differing,
) -> Joined<'d> {
    let is_joined = |pair: &RecordPair<'_>| match differing {
        Differing::KeepBoth => pair.is_equal,
        Differing::KeepFirst => true,
        // The list contains the record itself if its payload differs.
        Differing::Combine => !pair.of_two.contains(&pair.two),
    };
    let mut joined: Joined<'d> =
        counterparts.iter().filter(|pair| is_joined(pair)).map(|pair| (pair.two.id, pair.one)).collect();
    let mut referrers: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut apart: Vec<u32> = Vec::new();
    for pointer in other.structures().filter(|pointer| !pointer.is_metadata()) {
        let Some(target) = pointer.target() else { continue };
        referrers.entry(record_index_of(target)).or_default().push(record_index_of(pointer));
        if target.superstructure().is_some() {
            // For a pointer into a record, the counterpart has no corresponding identifier.
            apart.push(record_index_of(target));
        }
    }
    for (&two, &one) in &joined {
        let is_one_of_several = |record: Structure<'_>| {
            record.xref().is_some_and(|xref| record.dataset.resolve(xref) == Target::Several)
        };
        // A pointer to an identifier of several records is unresolved. If one of these records were joined, the pointer
        // would become a pointer to another one.
        if is_one_of_several(one) || is_one_of_several(Structure { dataset: other, id: two }) {
            apart.push(two);
        }
    }
    for two in &apart {
        joined.remove(two);
    }
    if differing != Differing::KeepBoth {
        return joined;
    }
    // If a record points to a record that is not joined, it is not joined either, and so on.
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
