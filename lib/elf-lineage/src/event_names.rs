//! Names of events: by their tags, or by the words of the file where a tag says nothing.

use crate::questions::noun;
use elf_base::Excerpt;
use elf_schema::Role;
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

/// The number of the name of an event, 0 where its role is all that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct EventName(u16);

/// The names that events of a file have of their own. No more are kept than their numbers can tell.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventNames {
    texts: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u16>,
}

/// The number of the first name that is none of a tag.
const OWN: usize = NOUNS.len() + 1;

/// Returns whether events of a role are named beyond their role.
pub(crate) const fn is_named(role: Role) -> bool {
    is_in_words(role)
        || matches!(
            role,
            Role::OtherEvent
                | Role::OtherAttribute
                | Role::OtherFamilyEvent
                | Role::Ordinance
                | Role::FamilyOrdinance
        )
}

/// Returns whether only the words of an event say what it is, so that its tag does not.
pub(crate) const fn is_in_words(role: Role) -> bool {
    matches!(role, Role::GenericEvent | Role::GenericAttribute | Role::GenericFamilyEvent)
}

/// Names an event or an attribute by a noun without an article: by its tag, by the words of its `TYPE` where the tag
/// says nothing, or by its role.
///
/// ```
/// use elf_lineage::{Role, event_noun};
///
/// assert_eq!(event_noun(Role::OtherAttribute, "OCCU", ""), "occupation");
/// assert_eq!(event_noun(Role::GenericEvent, "EVEN", "Militia"), "Militia");
/// assert_eq!(event_noun(Role::Birth, "BIRT", ""), "birth");
/// ```
pub fn event_noun<'t>(role: Role, tag: &str, words: &'t str) -> &'t str {
    let words = words.trim();
    if !words.is_empty() && is_in_words(role) {
        return words;
    }
    EventName::of_tag(tag).filter(|_| is_named(role)).and_then(EventName::noun).unwrap_or_else(|| noun(role))
}

impl EventName {
    /// The name of a tag that has a noun.
    pub(crate) fn of_tag(tag: &str) -> Option<EventName> {
        let at = NOUNS.binary_search_by_key(&tag, |(known, _)| known).ok()?;
        u16::try_from(at + 1).ok().map(EventName)
    }

    /// The noun of a tag; `None` of a name that the file gives, or none at all.
    pub(crate) fn noun(self) -> Option<&'static str> {
        let at = usize::from(self.0).checked_sub(1)?;
        NOUNS.get(at).map(|(_, noun)| *noun)
    }

    /// The name that one of another list becomes.
    pub(crate) fn translated(self, names: &[EventName]) -> EventName {
        match usize::from(self.0).checked_sub(OWN) {
            Some(at) => names.get(at).copied().unwrap_or_default(),
            None => self,
        }
    }
}

impl EventNames {
    /// The name of those words; of long ones the beginning counts.
    pub(crate) fn name(&mut self, words: &str) -> EventName {
        let words = Excerpt::short(words.trim());
        self.kept(&words)
    }

    fn kept(&mut self, words: &str) -> EventName {
        if let Some(&number) = self.numbers.get(words) {
            return EventName(number);
        }
        let Some(number) = u16::try_from(OWN + self.texts.len()).ok().filter(|_| !words.is_empty()) else {
            return EventName::default();
        };
        self.texts.push(words.into());
        self.numbers.insert(words.into(), number);
        EventName(number)
    }

    /// The words of a name that the file gives.
    pub(crate) fn words(&self, name: EventName) -> Option<&str> {
        self.texts.get(usize::from(name.0).checked_sub(OWN)?).map(|words| &**words)
    }

    /// The names that those of another list become here, by their numbers.
    pub(crate) fn take(&mut self, other: &EventNames) -> Vec<EventName> {
        other.texts.iter().map(|words| self.kept(words)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_schema::Correspondence;

    #[test]
    fn tags_of_events_without_a_role_of_their_own_have_nouns() {
        assert!(NOUNS.is_sorted());
        let named = |row: &&Correspondence| row.role.is_some_and(|role| is_named(role) && !is_in_words(role));
        for row in Correspondence::all().iter().filter(named) {
            for tag in row.tags.iter() {
                assert!(EventName::of_tag(tag).and_then(EventName::noun).is_some(), "{tag}");
            }
        }
    }

    #[test]
    fn names_come_back_from_another_list() {
        let (mut one, mut other) = (EventNames::default(), EventNames::default());
        one.name("Militia");
        let name = other.name(" Pilgrimage ");
        let keys = one.take(&other);
        assert_eq!(one.words(name.translated(&keys)), Some("Pilgrimage"));
        let of_tag = EventName::of_tag("RESI").expect("a noun");
        assert_eq!(of_tag.translated(&keys).noun(), Some("residence"));
        for number in 0..70_000 {
            one.name(&number.to_string());
        }
        assert_eq!(one.name("too many"), EventName::default());
        assert_eq!(one.words(EventName::default()), None);
    }
}
