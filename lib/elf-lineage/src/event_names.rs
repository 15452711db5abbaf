//! Names of events: by their tags or, if a tag is too general, by the words of the file.

use crate::questions::noun_of_role;
use elf_base::Excerpt;
use elf_schema::{Correspondence, Role, vendors};
use std::borrow::Cow;
use std::collections::HashMap;

/// The tags of events without a role of their own, sorted, with their nouns.
const NOUNS: [(&str, &str); 32] = [
    ("BAPL", "ordinance of baptism"),
    ("BARM", "bar mitzvah"),
    ("BASM", "bas mitzvah"),
    ("BLES", "blessing"),
    ("CAST", "caste"),
    ("CENS", "census"),
    ("CONF", "confirmation"),
    ("CONL", "ordinance of confirmation"),
    ("DSCR", "description"),
    ("EDUC", "education"),
    ("EMIG", "emigration"),
    ("ENDL", "endowment"),
    ("FCOM", "first communion"),
    ("IDNO", "identity number"),
    ("IMMI", "immigration"),
    ("INIL", "initiatory"),
    ("MARB", "banns"),
    ("MARC", "marriage contract"),
    ("MARL", "marriage licence"),
    ("MARS", "marriage settlement"),
    ("NATI", "nationality"),
    ("NATU", "naturalisation"),
    ("NCHI", "number of children"),
    ("NMR", "number of marriages"),
    ("OCCU", "occupation"),
    ("ORDN", "ordination"),
    ("RELI", "religion"),
    ("RESI", "residence"),
    ("RETI", "retirement"),
    ("SLGC", "sealing to parents"),
    ("SLGS", "sealing of the couple"),
    ("SSN", "social security number"),
];

/// The number of an event's name; 0 if only the role is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EventName(u16);

/// The names that the file gives to its events. If there are more names than numbers, the later
/// ones are not stored.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventNames {
    texts: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u16>,
}

/// The number of the first name that is not a tag's noun.
const FIRST_OWN_NUMBER: usize = NOUNS.len() + 1;

/// Returns whether events with this role need a name in addition to their role.
pub(crate) const fn needs_name(role: Role) -> bool {
    is_named_by_words(role)
        || matches!(
            role,
            Role::OtherEvent
                | Role::OtherAttribute
                | Role::OtherFamilyEvent
                | Role::Ordinance
                | Role::FamilyOrdinance
        )
}

/// Returns whether the tag of such an event is too general, so that only the words of the event say
/// what kind it is.
pub(crate) const fn is_named_by_words(role: Role) -> bool {
    matches!(role, Role::GenericEvent | Role::GenericAttribute | Role::GenericFamilyEvent)
}

/// Returns a noun for an event or an attribute, without an article. `words` is its `TYPE`, and `structure_type` the IRI
/// of its type.
///
/// A tag such as `EVEN` or `_ATTR` says only that something is a fact: then the noun is the `TYPE`. A fact with a vendor
/// tag is called as the file or the dictionary of vendor tags calls it. The noun of another fact comes from its tag or
/// its role.
///
/// ```
/// use elf_lineage::{Role, fact_noun};
///
/// assert_eq!(fact_noun(Role::OtherAttribute, "OCCU", None, ""), "occupation");
/// assert_eq!(fact_noun(Role::GenericEvent, "EVEN", None, "Militia"), "Militia");
/// let military = Some("https://terms.fhiso.org/elf/vendor/INDI-_MILT");
/// assert_eq!(fact_noun(Role::OtherEvent, "_MILT", military, "Infantry"), "military service");
/// ```
pub fn fact_noun<'t>(role: Role, tag: &'t str, structure_type: Option<&str>, words: &'t str) -> Cow<'t, str> {
    let words = words.trim();
    let is_named_by_type = structure_type.is_some_and(vendors::is_named_by_type);
    if !words.is_empty() && (is_named_by_words(role) || is_named_by_type) {
        return words.into();
    }
    if let Some(label) = structure_type.and_then(vendors::label_of_fact) {
        return label.into();
    }
    if let Some(label) = structure_type.and_then(vendors::label_of_type) {
        return start_in_lower_case(&label).into();
    }
    match EventName::of_tag(tag).and_then(EventName::noun) {
        Some(noun) if needs_name(role) => noun.into(),
        None if needs_name(role) && !is_named_by_words(role) && words.is_empty() => tag.into(),
        None if needs_name(role) && !is_named_by_words(role) => words.into(),
        _ => noun_of_role(role).into(),
    }
}

/// Returns a noun for events with a tag of a standard, without an article: `death` for `DEAT`. An unknown tag is its own noun.
///
/// ```
/// assert_eq!(elf_lineage::noun_of_tag("DEAT"), "death");
/// assert_eq!(elf_lineage::noun_of_tag("NATU"), "naturalisation");
/// ```
pub fn noun_of_tag(tag: &str) -> Cow<'_, str> {
    if let Some(noun) = EventName::of_tag(tag).and_then(EventName::noun) {
        return noun.into();
    }
    let is_event = |role: &Role| role.is_event_of_person() || role.is_event_of_family();
    let mut rows = Correspondence::all().iter().filter(|row| row.tags.contains(&tag));
    match rows.find_map(|row| row.role.filter(is_event)) {
        Some(role) => noun_of_role(role).into(),
        None => tag.into(),
    }
}

/// Returns a label as it is written within a sentence. Abbreviations keep their capitals.
fn start_in_lower_case(label: &str) -> String {
    let mut letters = label.chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().chain(std::iter::once(second)).chain(letters).collect()
        }
        _ => label.to_owned(),
    }
}

impl EventName {
    /// Returns the name of a tag that has a noun.
    pub(crate) fn of_tag(tag: &str) -> Option<EventName> {
        let at = NOUNS.binary_search_by_key(&tag, |(known, _)| known).ok()?;
        u16::try_from(at + 1).ok().map(EventName)
    }

    /// Returns the noun of a tag. `None` for a name that the file gives, or for no name.
    pub(crate) fn noun(self) -> Option<&'static str> {
        let at = usize::from(self.0).checked_sub(1)?;
        NOUNS.get(at).map(|(_, noun)| *noun)
    }

    /// Converts a name of another list to a name of this one.
    pub(crate) fn renumbered(self, names: &[EventName]) -> EventName {
        match usize::from(self.0).checked_sub(FIRST_OWN_NUMBER) {
            Some(at) => names.get(at).copied().unwrap_or_default(),
            None => self,
        }
    }
}

impl EventNames {
    /// Returns the number of a name, adding it if it is new. Only the beginning of a long name is
    /// used.
    pub(crate) fn number_name(&mut self, words: &str) -> EventName {
        let words = Excerpt::short(words.trim());
        self.number_own_name(&words)
    }

    fn number_own_name(&mut self, words: &str) -> EventName {
        if let Some(&number) = self.numbers.get(words) {
            return EventName(number);
        }
        let Some(number) =
            u16::try_from(FIRST_OWN_NUMBER + self.texts.len()).ok().filter(|_| !words.is_empty())
        else {
            return EventName::default();
        };
        self.texts.push(words.into());
        self.numbers.insert(words.into(), number);
        EventName(number)
    }

    /// Returns the words of a name that comes from the file. `None` for a name that comes from a
    /// tag.
    pub(crate) fn words(&self, name: EventName) -> Option<&str> {
        self.texts.get(usize::from(name.0).checked_sub(FIRST_OWN_NUMBER)?).map(|words| &**words)
    }

    /// Adds the names of another list. Returns the new number of each name, by its old number.
    pub(crate) fn add_names_of(&mut self, other: &EventNames) -> Vec<EventName> {
        other.texts.iter().map(|words| self.number_own_name(words)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_events_without_a_role_of_their_own_have_nouns() {
        assert!(NOUNS.is_sorted());
        let named =
            |row: &&Correspondence| row.role.is_some_and(|role| needs_name(role) && !is_named_by_words(role));
        for row in Correspondence::all().iter().filter(named) {
            for tag in row.tags.iter() {
                assert!(EventName::of_tag(tag).and_then(EventName::noun).is_some(), "{tag}");
            }
        }
    }

    #[test]
    fn names_come_back_from_another_list() {
        let (mut one, mut other) = (EventNames::default(), EventNames::default());
        one.number_name("Militia");
        let name = other.number_name(" Pilgrimage ");
        let keys = one.add_names_of(&other);
        assert_eq!(one.words(name.renumbered(&keys)), Some("Pilgrimage"));
        let of_tag = EventName::of_tag("RESI").expect("a noun");
        assert_eq!(of_tag.renumbered(&keys).noun(), Some("residence"));
        for number in 0..70_000 {
            one.number_name(&number.to_string());
        }
        assert_eq!(one.number_name("too many"), EventName::default());
        assert_eq!(one.words(EventName::default()), None);
    }
}
