//! Renames identifiers that cannot be kept in the output.
//!
//! | identifier | becomes |
//! | --- | --- |
//! | an identifier that the rules or the encoding cannot spell | another identifier, in all pointers too |
//! | an identifier that would become equal to another, because ANSEL decomposes letters and orders marks differently |
//! another identifier, in all pointers too |
//! | a repeated identifier | another identifier for each structure; pointers to it become unresolved |
//! | `VOID`, under rules with a pointer `@VOID@` | another identifier for each structure; pointers to it become
//! unresolved |
//! | a repeated identifier under rules that allow it, if one of its structures is left out | another identifier for
//! each structure; pointers to it become unresolved |
//!
//! Identifiers have no meaning (D19 *Pointer conversion*), so a new identifier is as good as the old one. The new
//! identifier consists of the ASCII letters and digits of the old identifier, an `X`, and the lowest number that makes
//! it unused in the document.
//!
//! First, [examine](Identifiers::examine) all identifiers of the document, in any order and on any thread. In nearly
//! all documents, no identifier is unusual or left out, and nothing more is needed. In the other documents,
//! [collect](Identifiers::collect) the identifiers in document order before you write. Only unusual identifiers and
//! those that look like new ones are stored.

use super::{Stage, WriteOptions, Writer, shorten};
use crate::ADVISED_XREF_LENGTH;
use elf_base::rules::{OctetRules, XrefChars};
use elf_base::{Code, Rules, codes};
use elf_octets::{Encoding, Repertoire};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::sync::Arc;
use unicode_normalization::UnicodeNormalization;

/// The greatest number of characters that a new identifier takes from the old one.
const STEM: usize = 12;

/// The identifiers of a document that may have to change in the output.
///
/// ```
/// use elf_tagged::Rules;
/// use elf_tagged::write::{Identifiers, Use, WriteOptions};
/// use std::collections::HashSet;
///
/// let uses = [("I(1)", Use::Bearer), ("I1X1", Use::Bearer), ("I(1)", Use::Pointer)];
/// let mut identifiers = Identifiers::new(&Rules::DECEMBER_2019, &WriteOptions::new());
/// uses.iter().for_each(|&(id, of)| identifiers.examine(id, of));
/// assert!(identifiers.are_unusual());
/// uses.iter().for_each(|&(id, of)| identifiers.collect(id, of));
/// assert_eq!(identifiers.into_renaming(&HashSet::new()).renamed("I(1)"), Some("I1X2"));
/// ```
#[derive(Clone, Debug)]
pub struct Identifiers {
    alphabet: Alphabet,
    /// Whether repeated identifiers are not allowed in the file.
    unique: bool,
    /// Whether there is an identifier that cannot be kept.
    unusual: bool,
    octet_rules: OctetRules,
    /// The forms in which readers decode identifiers, for identifiers that are not decoded as they were encoded.
    forms: HashSet<Box<str>>,
    /// The identifiers of the document that look like new identifiers.
    taken: HashSet<Box<str>>,
    /// The structures whose identifiers may have to change, in document order.
    bearers: Vec<(Box<str>, Reason)>,
    /// The identifiers of `bearers` that may occur only once in the file.
    met: HashSet<Box<str>>,
    /// The uses of identifiers that have one of `forms` in the file.
    claims: HashMap<Box<str>, IdentifierUses>,
    /// The repeated identifiers, under rules that allow them, each with the number of its structures.
    shared: BTreeMap<Box<str>, (Reason, usize)>,
}

/// The way in which an identifier is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Exactly one structure has the identifier.
    Bearer,
    /// A structure has the identifier, and other structures have it too.
    OneOfSeveral,
    /// A structure has the identifier, although it is reserved for pointers that refer to no record: `VOID` in GEDCOM
    /// 7.0 (*Lines*).
    Void,
    /// A pointer refers to the identifier.
    Pointer,
}

/// The reason for which an identifier must change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The rules or the encoding do not allow the identifier to be written.
    Unspellable,
    /// The identifier would become equal to another one.
    Clash,
    /// Several structures have the identifier.
    Repeated,
    /// Pointers to the identifier deliberately refer to no record (GEDCOM 7.0 *Lines*).
    Void,
}

/// The uses of an identifier that could become equal to another identifier in the file.
#[derive(Clone, Debug, Default)]
struct IdentifierUses {
    /// The form in which readers decode the identifier, if it differs from the identifier.
    other: Option<Box<str>>,
    borne: bool,
    repeated: bool,
    pointed: bool,
}

impl IdentifierUses {
    /// Returns whether pointers to the identifier are unresolved, so that they must not become pointers to another
    /// structure.
    const fn is_loose(&self) -> bool {
        self.pointed && (!self.borne || self.repeated)
    }
}

/// The characters, the length and the encoding that identifiers in the file can have.
#[derive(Clone, Debug)]
struct Alphabet {
    chars: XrefChars,
    /// The characters that can be kept if the document was read under rules that allow only these characters.
    conformant: XrefChars,
    /// The greatest length of an identifier in characters, if there is a limit.
    longest: Option<u32>,
    repertoire: Repertoire,
}

/// Returns the characters that identifiers may contain in a file under `rules`. Under `wild`, these are all characters.
const fn allowed_characters(rules: &Rules) -> XrefChars {
    if rules.write.keeps_faults { rules.lines.xref } else { rules.lines.conformant_xref }
}

/// Returns whether all encodings have the characters of an identifier, and the identifier is not too long.
#[inline]
fn is_plain(id: &str, chars: XrefChars, longest: Option<u32>) -> bool {
    is_alphanumeric(id)
        && (!chars.are_capitals() || elf_lines::is_xref(id, chars))
        && longest.is_none_or(|most| id.len() <= most as usize)
}

/// Returns whether an identifier consists of these characters, and is not too long.
fn is_spelled_with(id: &str, chars: XrefChars, longest: Option<u32>) -> bool {
    elf_lines::is_xref(id, chars) && longest.is_none_or(|most| id.chars().count() <= most as usize)
}

impl Alphabet {
    fn of(rules: &Rules, encoding: Encoding) -> Alphabet {
        Alphabet {
            chars: allowed_characters(rules),
            conformant: rules.lines.conformant_xref,
            longest: rules.write.longest_xref,
            repertoire: Repertoire::new(encoding, &rules.octets),
        }
    }

    /// Allows only identifiers that conform to the rules.
    const fn require_conformant(&mut self) {
        self.chars = self.conformant;
    }

    #[inline]
    fn is_plain(&self, id: &str) -> bool {
        is_plain(id, self.chars, self.longest)
    }

    fn has(&mut self, id: &str) -> bool {
        self.is_plain(id)
            || is_spelled_with(id, self.chars, self.longest)
                && elf_lines::first_forbidden(id).is_none()
                && self.repertoire.length(id).is_some()
    }

    /// Returns the text that readers decode after `id` has been written. Returns `None` if it is the same as `id`.
    fn text_read_back(&mut self, id: &str, rules: &OctetRules) -> Option<Box<str>> {
        let encoding = self.repertoire.encoding();
        if encoding != Encoding::Ansel || id.is_ascii() || !self.has(id) {
            return None;
        }
        let mut octets = Vec::new();
        encoding.encode_into(id, &mut octets).ok()?;
        let form = elf_octets::decode(&octets, encoding, rules).text;
        (form != id).then(|| form.into())
    }
}

impl Identifiers {
    /// Creates an empty collection for a document that will be written as a file under `rules`.
    pub fn new(rules: &Rules, options: &WriteOptions) -> Identifiers {
        Identifiers {
            alphabet: Alphabet::of(rules, options.encoding),
            unique: !rules.write.keeps_faults,
            unusual: false,
            octet_rules: rules.octets,
            forms: HashSet::new(),
            taken: HashSet::new(),
            bearers: Vec::new(),
            met: HashSet::new(),
            claims: HashMap::new(),
            shared: BTreeMap::new(),
        }
    }

    /// Sets the rules by which the document was read. Faults are written unchanged only if these rules allow them too.
    pub fn read_by(&mut self, rules: &Rules) {
        if !rules.write.keeps_faults {
            self.unique = true;
            self.alphabet.require_conformant();
        }
    }

    /// Adds an identifier of the document, which is given without at signs. If other structures also have it, call
    /// [`has_repeated`](Identifiers::has_repeated).
    #[inline]
    pub fn examine(&mut self, id: &str, of: Use) {
        if !self.alphabet.is_plain(id) {
            self.examine_unusual(id, of);
        }
        match of {
            Use::OneOfSeveral | Use::Void => self.has_repeated(),
            Use::Bearer | Use::Pointer => {}
        }
    }

    #[cold]
    fn examine_unusual(&mut self, id: &str, of: Use) {
        if !self.alphabet.has(id) {
            self.unusual |= of != Use::Pointer;
        } else if let Some(form) = self.alphabet.text_read_back(id, &self.octet_rules) {
            self.forms.insert(form);
        }
    }

    /// Records that an identifier of the document is repeated.
    pub const fn has_repeated(&mut self) {
        self.unusual |= self.unique;
    }

    /// Adds the identifiers of other runs of the document.
    pub fn join(&mut self, other: Identifiers) {
        self.unusual |= other.unusual;
        self.unique |= other.unique;
        if other.alphabet.chars == other.alphabet.conformant {
            self.alphabet.require_conformant();
        }
        self.forms.extend(other.forms);
    }

    /// Returns whether an identifier may have to change. If an identifier may have to change, or if any identifier may
    /// be [absent](Identifiers::into_renaming), pass all identifiers to [`collect`](Identifiers::collect).
    pub fn are_unusual(&self) -> bool {
        self.unusual || !self.forms.is_empty()
    }

    /// Adds an identifier, which is given without at signs. Call this for all identifiers in document order, after all
    /// of them have been passed to [`examine`](Identifiers::examine).
    pub fn collect(&mut self, id: &str, of: Use) {
        if looks_new(id) {
            self.taken.insert(id.into());
        }
        let several = match of {
            Use::OneOfSeveral => Some(Reason::Repeated),
            Use::Void => Some(Reason::Void),
            Use::Bearer | Use::Pointer => None,
        };
        if let Some(reason) = several.filter(|_| !self.unique) {
            self.add_shared_identifier(id, reason);
        }
        let reason = match several.filter(|_| self.unique) {
            Some(reason) => {
                self.bearers.push((id.into(), reason));
                Some(reason)
            }
            _ if self.alphabet.is_plain(id) && !self.forms.contains(id) => return,
            _ if !self.alphabet.has(id) => Some(Reason::Unspellable),
            _ => None,
        };
        if reason != Some(Reason::Unspellable) {
            self.record_form(id, of);
        }
        let is_one_by_one = matches!(reason, Some(Reason::Repeated | Reason::Void));
        if of != Use::Pointer && !is_one_by_one && self.met.insert(id.into()) {
            self.bearers.push((id.into(), reason.unwrap_or(Reason::Clash)));
        }
    }

    fn add_shared_identifier(&mut self, id: &str, reason: Reason) {
        match self.shared.get_mut(id) {
            Some((_, count)) => *count += 1,
            None => _ = self.shared.insert(id.into(), (reason, 1)),
        }
    }

    /// Stores the form of the identifier in the file, if other identifiers may have the same form.
    fn record_form(&mut self, id: &str, of: Use) {
        if !self.claims.contains_key(id) {
            let other = self.alphabet.text_read_back(id, &self.octet_rules);
            if !self.forms.contains(other.as_deref().unwrap_or(id)) {
                return;
            }
            self.claims.insert(id.into(), IdentifierUses { other, ..IdentifierUses::default() });
        }
        if let Some(claim) = self.claims.get_mut(id) {
            claim.pointed |= of == Use::Pointer;
            claim.borne |= of != Use::Pointer;
            claim.repeated |= matches!(of, Use::OneOfSeveral | Use::Void) && self.unique;
        }
    }

    /// Chooses new identifiers for those that cannot be kept. `absent` lists the identifiers of structures that are
    /// left out or lose them. Other structures with such an identifier then get new identifiers, so that no pointer is
    /// redirected to them.
    pub fn into_renaming(self, absent: &HashSet<Box<str>>) -> Renaming {
        let clashes = Collisions::of(&self.claims);
        let capitals = self.alphabet.chars.are_capitals();
        let mut names = NewNames { taken: self.taken, next: HashMap::new(), capitals };
        names.taken.extend(self.forms);
        let mut renaming = Renaming::default();
        let mut single = SingleIdentifiers::new();
        for (id, (reason, count)) in self.shared.into_iter().filter(|(id, _)| absent.contains(id)) {
            let new = (0..count).map(|_| names.make_name(&id)).collect();
            renaming.repeated.insert(id, NewIdentifiers { reason, new, given: 0 });
        }
        for (id, reason) in self.bearers {
            match reason {
                Reason::Clash | Reason::Unspellable if renaming.is_repeated(&id) => {}
                Reason::Clash if !clashes.has(&id, &self.claims) => {}
                Reason::Clash | Reason::Unspellable => {
                    let new = names.make_name(&id);
                    single.insert(id, (new, reason));
                }
                Reason::Repeated | Reason::Void => {
                    let new = names.make_name(&id);
                    let none = NewIdentifiers { reason, new: Vec::new(), given: 0 };
                    renaming.repeated.entry(id).or_insert(none).new.push(new);
                }
            }
        }
        renaming.single = Arc::new(single);
        renaming
    }
}

/// The forms of identifiers in the file. The values are whether several identifiers have the form, and whether one of
/// these identifiers is loose.
struct Collisions<'c>(HashMap<&'c str, (bool, bool)>);

impl<'c> Collisions<'c> {
    fn of(claims: &'c HashMap<Box<str>, IdentifierUses>) -> Collisions<'c> {
        let mut forms: HashMap<&str, (bool, bool)> = HashMap::new();
        for (id, claim) in claims {
            let form = claim.other.as_deref().unwrap_or(id);
            let loose = claim.is_loose();
            let entry = forms.entry(form).and_modify(|form| form.0 = true);
            entry.or_insert((false, false)).1 |= loose;
        }
        Collisions(forms)
    }

    /// Returns whether an identifier must be renamed.
    ///
    /// If two identifiers would become equal, one of them is renamed. If an unresolved pointer has the same form, all
    /// of them are renamed, so that the pointer does not become a pointer to a structure.
    fn has(&self, id: &str, claims: &HashMap<Box<str>, IdentifierUses>) -> bool {
        let Some(claim) = claims.get(id) else { return false };
        let form = self.0.get(claim.other.as_deref().unwrap_or(id));
        form.is_some_and(|&(several, loose)| several && (loose || claim.other.is_some()))
    }
}

/// Creates identifiers that the document does not use.
struct NewNames {
    taken: HashSet<Box<str>>,
    /// The next number to try for each stem.
    next: HashMap<String, u64>,
    /// Whether lower-case letters are replaced by capital letters.
    capitals: bool,
}

impl NewNames {
    fn make_name(&mut self, old: &str) -> Box<str> {
        let letters: String = old.nfd().filter(char::is_ascii_alphanumeric).take(STEM).collect();
        let letters = if self.capitals { letters.to_ascii_uppercase() } else { letters };
        let next = self.next.entry(letters.clone()).or_default();
        loop {
            *next += 1;
            let number = next.to_string();
            // A number has at most twenty digits.
            let most = (ADVISED_XREF_LENGTH as usize - 1).saturating_sub(number.len());
            let stem = letters.get(..most).unwrap_or(&letters);
            let name = format!("{stem}X{number}").into_boxed_str();
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

#[inline]
fn is_alphanumeric(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|octet| octet.is_ascii_alphanumeric())
}

/// Returns whether an identifier looks like one that this module creates.
fn looks_new(id: &str) -> bool {
    let digits = id.bytes().rev().take_while(u8::is_ascii_digit).count();
    id.len() <= ADVISED_XREF_LENGTH as usize
        && digits > 0
        && id.len().checked_sub(digits + 1).and_then(|at| id.as_bytes().get(at)) == Some(&b'X')
        && is_alphanumeric(id)
}

/// The new names of the identifiers that cannot be kept in the output.
#[derive(Clone, Debug, Default)]
pub struct Renaming {
    /// The new names of identifiers that belong to one structure. Encoders of runs share this table.
    single: Arc<SingleIdentifiers>,
    repeated: HashMap<Box<str>, NewIdentifiers>,
}

/// The new names of identifiers that belong to one structure, each with the reason.
type SingleIdentifiers = HashMap<Box<str>, (Box<str>, Reason)>;

/// The new names for the structures that have the same repeated identifier.
#[derive(Clone, Debug)]
struct NewIdentifiers {
    reason: Reason,
    new: Vec<Box<str>>,
    /// The number of new names that have already been used.
    given: usize,
}

impl Renaming {
    /// Returns whether all identifiers are kept.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.single.is_empty() && self.repeated.is_empty()
    }

    /// Returns the new name of an identifier that belongs to one structure. Returns `None` if the identifier is kept.
    pub fn renamed(&self, id: &str) -> Option<&str> {
        self.single.get(id).map(|(new, _)| &**new)
    }

    /// Returns whether each structure with this identifier gets a different new identifier. Pointers to the old
    /// identifier then become unresolved.
    pub fn is_repeated(&self, id: &str) -> bool {
        self.repeated.contains_key(id)
    }

    pub(super) fn any_repeated(&self) -> bool {
        !self.repeated.is_empty()
    }

    #[inline]
    pub(super) fn is_renamed(&self, id: &str) -> bool {
        !self.is_empty() && (self.single.contains_key(id) || self.repeated.contains_key(id))
    }

    /// Returns the new name for the next structure that has this identifier, and the reason for it.
    pub(super) fn next_new_name(&mut self, id: &str) -> Option<(Box<str>, Reason)> {
        if let Some(found) = self.single.get(id) {
            return Some(found.clone());
        }
        let bearers = self.repeated.get_mut(id)?;
        let new = bearers.new.get(bearers.given)?;
        bearers.given += 1;
        Some((new.clone(), bearers.reason))
    }
}

impl<W: io::Write> Writer<'_, W> {
    /// Renames identifiers and pointers in all structures that are written after this call. Call this before the first
    /// structure that has a renamed identifier or a pointer to one.
    pub fn rename(&mut self, renaming: Renaming) {
        self.renaming = renaming;
    }

    pub(super) fn is_xref(&mut self, xref: &str) -> bool {
        let (chars, longest) = (allowed_characters(&self.rules), self.rules.write.longest_xref);
        is_plain(xref, chars, longest)
            || is_spelled_with(xref, chars, longest)
                && self.spelling.has_all_characters(xref)
                && elf_lines::first_forbidden(xref).is_none()
    }

    /// Returns whether all structures with a repeated identifier can keep it.
    pub(super) fn may_repeat_xref(&self, xref: &str) -> bool {
        self.rules.write.keeps_faults || self.renaming.is_repeated(xref)
    }

    /// Returns the identifier that is written for a structure, if it has one. Reports losses.
    pub(super) fn xref_to_write<'x>(
        &mut self,
        level: u32,
        xref: Option<&'x str>,
        tag: &str,
    ) -> Option<Cow<'x, str>> {
        let xref = xref?;
        let in_header = level == 1 && self.stage == Stage::Header;
        if in_header && self.forbids_xrefs_in_header() {
            let message =
                format!("`{}` loses its identifier: structures in the header cannot have one", shorten(tag));
            self.lose(codes::XREF_CANNOT_BE_WRITTEN, message);
            self.add_lost_identifier(Some(xref));
            return None;
        }
        if level > 0 && !self.rules.tagged.inner_xrefs {
            let message = format!("`{}` loses its identifier: only records can have one", shorten(tag));
            self.lose(codes::XREF_CANNOT_BE_WRITTEN, message);
            self.add_lost_identifier(Some(xref));
            return None;
        }
        let written = match self.renaming.next_new_name(xref) {
            Some((new, reason)) => {
                self.report_renamed(xref, &new, reason);
                Cow::Owned(new.into())
            }
            // An invalid identifier is renamed when the file is written.
            None if self.absent.is_some() || self.is_xref(xref) => Cow::Borrowed(xref),
            None => {
                let (shown, of) = (shorten(xref), shorten(tag));
                let message = format!("`{of}` loses its identifier: `@{shown}@` cannot be written");
                self.lose(codes::XREF_CANNOT_BE_WRITTEN, message);
                return None;
            }
        };
        if self.rules.lines.lengths_advised
            && written.len() > ADVISED_XREF_LENGTH as usize
            && written.chars().count() > ADVISED_XREF_LENGTH as usize
        {
            self.report_long(codes::XREF_LONG, "identifier", ADVISED_XREF_LENGTH, &written);
        }
        if level > 0 {
            let message = format!("`{}` has an identifier, but is not a record", shorten(tag));
            self.report(codes::XREF_WITHIN_RECORD, message);
        }
        Some(written)
    }

    /// Reports a tag or an identifier that is longer than recommended (D19 *Tags*, *Pointer conversion*).
    #[cold]
    pub(super) fn report_long(&mut self, code: Code, what: &str, most: u32, text: &str) {
        let (shown, count) = (shorten(text), text.chars().count());
        self.report(
            code,
            format!("the {what} `{shown}` has {count} characters; at most {most} are recommended"),
        );
    }

    #[cold]
    fn report_renamed(&mut self, old: &str, new: &str, reason: Reason) {
        let because = match reason {
            Reason::Unspellable => "it is not valid in the output",
            Reason::Clash => "it would be equal to another identifier in the output",
            Reason::Repeated => "several structures have it",
            Reason::Void => "it is reserved for pointers to no record",
        };
        let message = format!("the identifier `@{}@` becomes `@{new}@`: {because}", shorten(old));
        self.report(codes::IDENTIFIER_RENAMED, message);
    }

    fn forbids_xrefs_in_header(&self) -> bool {
        self.rules.tagged.header_xrefs.bars_all()
    }
}
