//! What only the whole document shows of its identifiers: found out in one reading, for another.

use super::Bearer;
use super::findings::Fault;
use super::index::{Key, Keys};
use crate::Reader;
use elf_base::rules::XrefErrors;
use elf_base::{Place, Rules};
use hashbrown::HashTable;
use std::io::{self, Read};

/// What only a whole document shows of its identifiers: which are borne several times, and which are pointed to and not
/// borne. It is found out in a first reading, so that a second one, [in parts](Reader::with_names), can give the same
/// records as [`read`](crate::read()) does.
///
/// It keeps what is unusual, no more: a document without faults makes an empty one.
///
/// ```
/// use elf_tagged::{Names, Options, Reader, Rules};
///
/// // January 2019 inserts records for what pointers name and nothing bears.
/// let file: &[u8] = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 FAMC @F1@\n0 TRLR\n";
/// let reader = || Reader::new(file, &Rules::JANUARY_2019, &Options::default());
/// let names = Names::of(reader())?;
/// let mut reader = reader().with_names(names);
/// let mut tags = Vec::new();
/// while let Some(part) = reader.next_part(&mut ())? {
///     tags.extend(part.records().map(|record| record.tag().to_owned()));
/// }
/// assert_eq!(tags, ["INDI", "UNDEF"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Names {
    pub(super) keys: Keys,
    pub(super) unusual: HashTable<Slot>,
    /// The identifiers that are borne several times.
    pub(super) repeated: Vec<Repeated>,
    /// The records that the rules insert, in their order (J19 §5.1).
    pub(super) insertions: Vec<Insertion>,
    /// Whether repeated identifiers make the rules reject everything (RDX).
    pub(super) rejects_all: bool,
    /// Whether the document was read to its end, so that it is known what nothing bears.
    pub(super) to_end: bool,
}

/// What tells identifiers apart where their texts are not at hand: the key and, where that is a hash, an independent one
/// beside it. Together they have 88 bits, so that no two of a file are taken for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Label {
    pub(super) key: Key,
    pub(super) check: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) label: Label,
    pub(super) fate: Fate,
}

/// What is unusual about an identifier.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fate {
    /// It is pointed to, and nothing bears it; with the number of the record inserted for it, if one is.
    Lost(u32),
    /// It is pointed to, and what bears it is no record.
    Substructure,
    /// Several structures bear it: its number among those.
    Repeated(u32),
}

/// The number of a record that is not inserted.
pub(super) const NOT_INSERTED: u32 = u32::MAX;

/// An identifier that several structures bear.
#[derive(Clone, Copy, Debug)]
pub(super) struct Repeated {
    /// Where it is borne first.
    pub(super) first: Place,
    /// Whether what bears it there is no record.
    pub(super) nested: bool,
    pub(super) treatment: Treatment,
    /// The number of the record that is inserted for the pointers to it.
    pub(super) insertion: u32,
}

/// What the rules do with an identifier that several structures bear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Treatment {
    /// Nothing: all bear it on.
    Stands,
    /// One keeps it, whose identifier stands at that octet of the file.
    Kept(u64),
    /// None keeps it.
    Dropped,
    /// The structures that bear it are rejected, and those that point to it.
    Rejected,
}

/// A record that the rules insert for what pointers name.
#[derive(Debug)]
pub(super) struct Insertion {
    /// Where the first of these pointers stands, in octets from the start of the file.
    pub(super) octet: u64,
    /// Its identifier, where it cannot be the one that the pointers name.
    pub(super) invented: Option<Box<str>>,
}

impl Names {
    /// Whether the records of a document depend on them by `rules`: where January 2019 inserts records, and where the
    /// declarative draft takes identifiers away or rejects structures.
    pub const fn are_needed(rules: &Rules) -> bool {
        !matches!(rules.tagged.xref_errors, XrefErrors::Keep)
    }

    /// The names of the document that `reader` is about to read, which it reads to its end part by part. Nothing is
    /// reported.
    ///
    /// # Errors
    ///
    /// What reading the input returns; [`TooLarge`](elf_octets::TooLarge), wrapped, where a record is over 4 GiB.
    pub fn of<R: Read>(reader: Reader<R>) -> io::Result<Names> {
        let mut reader = reader.for_names();
        while reader.next_part(&mut ())?.is_some() {}
        reader.into_names().ok_or_else(|| io::Error::other("the reading did not come to its end"))
    }

    /// Whether the rules leave any identifier to several structures.
    pub fn any_repeated(&self) -> bool {
        self.repeated.iter().any(|repeated| repeated.treatment == Treatment::Stands)
    }

    /// Whether several structures bear `xref`.
    pub(super) fn is_repeated(&self, xref: &str) -> bool {
        let fate = || self.fate(self.keys.key(xref), xref);
        let repeated = || self.repeated(fate()?);
        !self.repeated.is_empty() && repeated().is_some_and(|one| one.treatment == Treatment::Stands)
    }

    pub(crate) const fn keys(&self) -> &Keys {
        &self.keys
    }

    /// What is unusual about the identifier `xref`, which has that key.
    #[inline]
    pub(super) fn fate(&self, key: Key, xref: &str) -> Option<Fate> {
        if self.unusual.is_empty() {
            return None;
        }
        let answers = |slot: &Slot| slot.label.key == key && slot.label == self.keys.label(key, xref);
        self.unusual.find(self.keys.hash(key), answers).map(|slot| slot.fate)
    }

    /// What is wrong with a pointer to `xref`, of which that is unusual.
    pub(super) fn fault_of(&self, fate: Fate, xref: &str) -> Option<Fault> {
        match fate {
            Fate::Lost(_) => Some(Fault::lost(xref)),
            Fate::Substructure => Some(Fault::Substructure),
            Fate::Repeated(_) => match self.repeated(fate)?.treatment {
                Treatment::Stands | Treatment::Rejected => Some(Fault::Ambiguous),
                Treatment::Kept(_) => None,
                Treatment::Dropped => Some(Fault::lost(xref)),
            },
        }
    }

    /// What bears `xref`, of all that do the first; of what no pointer names, that is not known.
    pub(super) fn bearer(&self, xref: &str) -> Bearer {
        let Some(fate) = self.fate(self.keys.key(xref), xref) else { return Bearer::Record };
        match fate {
            Fate::Lost(_) if self.insertion_of(fate).is_some() => Bearer::Record,
            Fate::Lost(_) => Bearer::None,
            Fate::Substructure => Bearer::Substructure,
            Fate::Repeated(_) => match self.repeated(fate) {
                Some(Repeated { treatment: Treatment::Dropped, .. }) => Bearer::None,
                Some(Repeated {
                    treatment: Treatment::Stands | Treatment::Rejected, nested: true, ..
                }) => Bearer::Substructure,
                _ => Bearer::Record,
            },
        }
    }

    /// The identifier of the inserted record that a pointer to `xref` leads to; `xref` itself where there is none.
    pub(super) fn redirected<'n>(&'n self, xref: &'n str) -> &'n str {
        if self.insertions.is_empty() {
            return xref;
        }
        let fate = self.fate(self.keys.key(xref), xref);
        let insertion = fate.and_then(|fate| self.insertion_of(fate)).map(|(_, insertion)| insertion);
        insertion.and_then(|insertion| insertion.invented.as_deref()).unwrap_or(xref)
    }

    /// The record inserted for pointers whose target is so unusual, and its number.
    pub(super) fn insertion_of(&self, fate: Fate) -> Option<(u32, &Insertion)> {
        let number = match fate {
            Fate::Lost(number) => number,
            Fate::Substructure => return None,
            Fate::Repeated(_) => self.repeated(fate)?.insertion,
        };
        Some((number, self.insertions.get(number as usize)?))
    }

    /// What is known of an identifier that several structures bear.
    pub(super) fn repeated(&self, fate: Fate) -> Option<&Repeated> {
        match fate {
            Fate::Repeated(number) => self.repeated.get(number as usize),
            Fate::Lost(_) | Fate::Substructure => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_of_one_key_are_told_apart() {
        let keys = Keys::default();
        let [one, other] = ["LONGER_THAN_ANY", "NO_SHORTER_THAN_IT"];
        let (key, fate) = (keys.key(one), Fate::Substructure);
        let mut unusual = HashTable::new();
        let slot = Slot { label: keys.label(key, one), fate };
        unusual.insert_unique(keys.hash(key), slot, |slot| keys.hash(slot.label.key));
        let (repeated, insertions) = (Vec::new(), Vec::new());
        let names = Names { keys, unusual, repeated, insertions, rejects_all: false, to_end: true };
        assert!(names.fate(key, one).is_some() && names.fate(key, other).is_none());
        assert_eq!((names.bearer(one), names.bearer(other)), (Bearer::Substructure, Bearer::Record));
    }
}
