//! Copies structures from one dataset into another. The structures keep their types, and identifiers stay distinct.

use super::{ChangeError, Content, DatasetMut, Gap, Node, Position, StructureId, append_text};
use crate::dataset::Dataset;
use crate::nodes::{Kind, NONE};
use crate::structure::Structure;
use hashbrown::{HashMap, HashSet};

/// The structures that were appended, and the changes to their identifiers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Appended {
    /// The copies of the given structures, in the order in which they were given. Substructures are not listed, even if
    /// they were given too.
    pub ids: Vec<StructureId>,
    /// The identifiers of appended structures that were already in use in this dataset, each with its replacement.
    /// Pointers between appended structures contain the replacement.
    pub renamed: Vec<(String, String)>,
    /// The identifiers, as they were in the other dataset, that pointers contain although no appended structure has
    /// them. If such an identifier is in use in this dataset, it is replaced too, so that the pointer stays unresolved.
    pub dangling: Vec<String>,
}

/// Structures of another dataset, and the position to which they are copied.
pub(crate) struct Batch<'s> {
    pub(crate) at: Position,
    pub(crate) structures: Vec<Structure<'s>>,
}

/// The numbers that the identifiers and types of the other dataset have in this dataset.
struct NewNumbers<'s> {
    xrefs: HashMap<&'s str, u32>,
    /// The number of each type in this dataset, by its number in the other dataset.
    types: HashMap<u32, u32>,
}

impl DatasetMut {
    /// Appends structures of another dataset with all their substructures. If a structure is given twice, or is a
    /// substructure of another given structure, it is appended once.
    ///
    /// Structures keep their tags and types, and the types keep their supertypes. Identifiers that are already in use
    /// in this dataset are replaced, together with the pointers to them. This works only within one call, so append
    /// records that refer to each other together.
    ///
    /// If a pointer refers to a structure that is not appended, it never becomes a pointer to a structure of this
    /// dataset that happens to have the same identifier. The pointer `@VOID@` of GEDCOM 7 stays `@VOID@`. Strings that
    /// do not name their own language get the language of this dataset's [header](DatasetMut::header).
    ///
    /// # Errors
    ///
    /// Returns a [`ChangeError`] if the position is not in this dataset, if the structures belong to several datasets,
    /// or if there would be too much text. This dataset is unchanged in that case.
    ///
    /// ```
    /// use elf_model::{Position, ReadOptions, Rules};
    /// let read = |octets: &str| {
    ///     elf_model::read(octets.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
    /// };
    /// let mut one = read("0 HEAD\n0 @I1@ INDI\n1 NAME Ada\n0 TRLR\n")?.into_mut();
    /// let two = read("0 HEAD\n0 @I1@ INDI\n1 NAME Eve\n1 FAMS @F1@\n0 @F1@ FAM\n1 WIFE @I1@\n0 TRLR\n")?;
    /// let appended = one.append(Position::LastRecord, two.records())?;
    /// assert_eq!(appended.renamed, [("I1".to_owned(), "I2".to_owned())]);
    /// let one = one.finish()?;
    /// let wife = one.find(&"@F1@/WIFE".parse()?)?[0].target().expect("a person");
    /// assert_eq!(wife.substructures().next().map(|name| name.text()), Some("Eve"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn append<'s>(
        &mut self,
        at: impl Into<Position>,
        structures: impl IntoIterator<Item = Structure<'s>>,
    ) -> Result<Appended, ChangeError> {
        let batch = Batch { at: at.into(), structures: structures.into_iter().collect() };
        self.append_batches(vec![batch], &HashMap::new())
    }

    /// Appends several batches. A structure must not be in two batches. `known` maps the identifiers of records that
    /// are already in this dataset to their identifiers in this dataset.
    pub(crate) fn append_batches(
        &mut self,
        batches: Vec<Batch<'_>>,
        known: &HashMap<&str, &str>,
    ) -> Result<Appended, ChangeError> {
        let mut all = batches.iter().flat_map(|batch| &batch.structures);
        if let Some(first) = all.next()
            && all.any(|structure| !std::ptr::eq(structure.dataset, first.dataset))
        {
            return Err(ChangeError::SeveralDatasets);
        }
        let mut placed: Vec<(Structure<'_>, Gap)> = Vec::new();
        for Batch { at, structures } in batches {
            let gap = self.find_gap(at)?;
            placed.extend(keep_topmost(structures).into_iter().map(|structure| (structure, gap)));
        }
        let structures: Vec<Structure<'_>> = placed.iter().map(|&(structure, _)| structure).collect();
        let Some(source) = structures.first().map(|first| first.dataset) else {
            return Ok(Appended::default());
        };
        let mut appended = Appended::default();
        let before = self.create_checkpoint();
        let xrefs = self.choose_xrefs(&structures, known, &mut appended);
        let (types, supertypes) = self.map_types(&structures, source);
        let numbers = NewNumbers { xrefs, types };
        for (structure, gap) in placed {
            match self.copy_subtree(structure, gap, &numbers) {
                Ok(copied) => appended.ids.push(copied),
                Err(error) => {
                    self.restore_checkpoint(before);
                    return Err(error);
                }
            }
        }
        self.supertypes.extend(supertypes);
        Ok(appended)
    }

    fn copy_subtree(
        &mut self,
        top: Structure<'_>,
        gap: Gap,
        numbers: &NewNumbers<'_>,
    ) -> Result<StructureId, ChangeError> {
        let mut open: Vec<(u32, u32)> = Vec::new();
        let mut copied = NONE;
        for structure in top.subtree() {
            while open.last().is_some_and(|&(end, _)| end <= structure.id) {
                open.pop();
            }
            let data = structure.node();
            let content = match data.kind {
                Kind::None => Content::None,
                Kind::Pointer => Content::Pointer(numbers.xrefs[structure.raw_payload()]),
                Kind::Literal => append_text(&mut self.base, self.room, structure.pieces())?,
            };
            let node = Node {
                tag: self.base.tags.intern(structure.tag()),
                structure_type: numbers.types.get(&data.structure_type).copied().unwrap_or(NONE),
                xref: structure.xref().map_or(NONE, |xref| numbers.xrefs[xref]),
                content,
            };
            let number = self.push_node(node)?;
            let gap = open.last().map_or(gap, |&(_, above)| Gap { above, before: NONE });
            self.links.insert(number, gap);
            if open.is_empty() {
                copied = number;
            }
            open.push((data.next, number));
        }
        Ok(self.id_of(copied))
    }

    /// Chooses an identifier in this dataset for each identifier that appended structures have or point to.
    fn choose_xrefs<'s>(
        &mut self,
        structures: &[Structure<'s>],
        known: &HashMap<&str, &str>,
        appended: &mut Appended,
    ) -> HashMap<&'s str, u32> {
        let all = || structures.iter().flat_map(|structure| structure.subtree());
        let borne: HashSet<&'s str> = all().filter_map(Structure::xref).collect();
        let mut names: HashMap<&'s str, u32> = HashMap::new();
        let mut taken: Vec<&'s str> = Vec::new();
        for xref in all().flat_map(|structure| [structure.xref(), structure.pointer()]).flatten() {
            if names.contains_key(xref) {
                continue;
            }
            if self.base.is_void(xref) && structures.first().is_some_and(|first| first.dataset.is_void(xref))
            {
                names.insert(xref, self.xrefs.intern(xref));
                continue;
            }
            let here = match known.get(xref) {
                Some(here) => self.xrefs.intern(here),
                None if self.is_xref_taken(xref) => {
                    taken.push(xref);
                    NONE
                }
                None => self.xrefs.intern(xref),
            };
            if !borne.contains(xref) && !known.contains_key(xref) {
                appended.dangling.push(xref.to_owned());
            }
            names.insert(xref, here);
        }
        // Generate new identifiers last, so that none of them is equal to an identifier that is kept.
        for xref in taken {
            let unused = self.generate_xref(xref.trim_end_matches(|c: char| c.is_ascii_digit()));
            names.insert(xref, self.xrefs.intern(&unused));
            appended.renamed.push((xref.to_owned(), unused));
        }
        names
    }

    /// Maps each type in use to its number in this dataset. Also returns pairs of a type and its supertype.
    fn map_types(
        &mut self,
        structures: &[Structure<'_>],
        source: &Dataset,
    ) -> (HashMap<u32, u32>, Vec<(u32, u32)>) {
        let mut above: HashMap<u32, Vec<u32>> = HashMap::new();
        for &(of, supertype) in source.types.supertype_numbers() {
            above.entry(of).or_default().push(supertype);
        }
        let (mut types, mut supertypes) = (HashMap::new(), Vec::new());
        let used = structures.iter().flat_map(|structure| structure.subtree());
        let mut waiting: Vec<u32> = Vec::new();
        let mut seen: HashSet<u32> = HashSet::new();
        for of in used.map(|structure| structure.node().structure_type) {
            if seen.insert(of) {
                waiting.push(of);
            }
        }
        while let Some(of) = waiting.pop() {
            let Some(iri) = source.types.iri(of) else { continue };
            let here = self.base.types.intern(iri);
            types.insert(of, here);
            for supertype in above.remove(&of).unwrap_or_default() {
                let Some(iri) = source.types.iri(supertype) else { continue };
                supertypes.push((here, self.base.types.intern(iri)));
                if seen.insert(supertype) {
                    waiting.push(supertype);
                }
            }
        }
        (types, supertypes)
    }
}

/// Removes duplicates, and structures that are substructures of other given structures.
fn keep_topmost(mut structures: Vec<Structure<'_>>) -> Vec<Structure<'_>> {
    let mut given: Vec<(u32, u32)> =
        structures.iter().map(|structure| (structure.id, structure.node().next)).collect();
    given.sort();
    let mut end = 0;
    // A subtree that starts before the end of an earlier subtree is part of it.
    given.retain(|&(start, behind)| {
        let is_top = start >= end;
        end = end.max(behind);
        is_top
    });
    let mut tops: HashSet<u32> = given.into_iter().map(|(start, _)| start).collect();
    structures.retain(|structure| tops.remove(&structure.id));
    structures
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_schema::{ReadOptions, Rules};
    use proptest::prelude::*;
    use std::fmt::Write as _;

    fn read(records: &str) -> Dataset {
        let octets = format!("0 HEAD\n1 CHAR UTF-8\n{records}0 TRLR\n");
        crate::read(octets.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ()).expect("whole")
    }

    /// Generates records with few different identifiers. Some of the records have types that only their file defines.
    fn records() -> impl Strategy<Value = String> {
        let line = (prop::sample::select(vec!["NAME", "NOTE", "_PEAL", "FAMS"]), 0..5_u8, "[a-z]{0,12}");
        let record = (prop::option::of(0..5_u8), prop::collection::vec(line, 0..5));
        prop::collection::vec(record, 1..6).prop_map(|records| {
            let mut text = String::new();
            for (xref, lines) in records {
                let xref = xref.map_or(String::new(), |xref| format!("@I{xref}@ "));
                let _ = writeln!(text, "0 {xref}INDI");
                for (tag, to, payload) in lines {
                    let payload = if tag == "FAMS" { format!("@I{to}@") } else { payload };
                    let _ = writeln!(text, "1 {tag} {payload}");
                }
            }
            text
        })
    }

    fn json(dataset: DatasetMut) -> String {
        serde_json::to_string(&dataset.finish().expect("small")).expect("JSON")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn a_failed_append_changes_nothing(one in records(), two in records(), room in 0..80_usize) {
            let (base, other) = (read(&one), read(&two));
            let peal = "https://e.example/Peal";
            let mut of_other = other.clone().into_mut();
            let first = of_other.records().next().map(|record| record.id());
            if let Some(first) = first {
                of_other.set_type(first, peal).expect("here");
                of_other.add_supertype(peal, "https://e.example/Ringing");
            }
            let other = of_other.finish().expect("small");
            let append = |dataset: &mut DatasetMut| dataset.append(Position::LastRecord, other.records());
            let mut tried = base.clone().into_mut();
            let whole = tried.room;
            tried.room = tried.base.text.len() + room;
            let failed = append(&mut tried).is_err();
            tried.room = whole;
            let mut untried = base.into_mut();
            if !failed {
                prop_assert!(append(&mut untried).is_ok());
            }
            // An append that failed does not influence a later one.
            prop_assert_eq!(append(&mut tried), append(&mut untried).map(|appended| own(appended, &tried)));
            prop_assert_eq!(tried.unused_xref("I"), untried.unused_xref("I"));
            prop_assert_eq!(&tried.supertypes, &untried.supertypes);
            let sizes = |dataset: &DatasetMut| {
                (dataset.links.len(), dataset.nodes.len(), dataset.base.types.len(), dataset.base.tags.len())
            };
            prop_assert_eq!(sizes(&tried), sizes(&untried));
            prop_assert_eq!(json(tried), json(untried));
        }
    }

    /// Sets the owner in the ids to `of`, so that results can be compared.
    fn own(mut appended: Appended, of: &DatasetMut) -> Appended {
        appended.ids.iter_mut().for_each(|id| *id = of.id_of(id.number));
        appended
    }
}
