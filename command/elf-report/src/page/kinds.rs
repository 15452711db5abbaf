//! Counts tags without a type, and dates by calendar.

use elf_schema::{Node, Schema, TypedDocument};
use elf_values::elf_base::rules::DateRules;
use elf_values::{Calendar, CalendarName, DateForm, DateValue};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of different tags without a type that are counted separately.
const MOST: usize = 1_000;

/// The numbers of tags without a type, by the type of the superstructure. At most 1,000 kinds are counted separately.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UndefinedKinds {
    counts: BTreeMap<(Box<str>, Box<str>), u64>,
    further: u64,
    /// The prefixes in the names of types, each with the IRI that it stands for.
    prefixes: BTreeSet<(Box<str>, Box<str>)>,
}

/// Returns the prefix of a shortened IRI, and the IRI that it stands for.
pub(crate) fn prefix_of<'s>(schema: &'s Schema, short: &str) -> Option<(&'s str, &'s str)> {
    let (prefix, _) = short.split_once(':')?;
    // In an IRI that is not shortened, the text before the colon is a scheme.
    let (prefix, definition) = schema.prefixes().iter().find(|(known, _)| *known == prefix)?;
    Some((prefix, &definition.iri))
}

impl UndefinedKinds {
    /// Counts the tags of a run. Structures under a structure without a type are not counted.
    pub(crate) fn of(part: &TypedDocument<'_>) -> UndefinedKinds {
        let mut kinds = UndefinedKinds::default();
        let resolver = part.resolver();
        let is_undefined = |node: Node<'_>| part.type_id(node).is_some_and(|of| resolver.is_undefined(of));
        for node in part.document().structures().filter(|node| is_undefined(*node)) {
            match node.superstructure() {
                Some(above) if is_undefined(above) => {}
                Some(above) => {
                    let iri = part.type_of(above).unwrap_or_default();
                    let short = resolver.schema().prefixes().shorten(iri);
                    if kinds.add(&short, node.tag(), 1) {
                        let prefix = prefix_of(resolver.schema(), &short).filter(|_| short != iri);
                        kinds.prefixes.extend(prefix.map(|(prefix, iri)| (prefix.into(), iri.into())));
                    }
                }
                None => _ = kinds.add("", node.tag(), 1),
            }
        }
        kinds
    }

    /// Adds the counts of another run or file.
    pub fn join(&mut self, more: &UndefinedKinds) {
        for ((above, tag), &count) in &more.counts {
            self.add(above, tag, count);
        }
        self.further += more.further;
        let room = MOST.saturating_sub(self.prefixes.len());
        self.prefixes.extend(more.prefixes.iter().take(room).cloned());
    }

    /// Adds `count` of a kind. Returns whether the kind is new.
    fn add(&mut self, above: &str, tag: &str, count: u64) -> bool {
        let key = (above.into(), tag.into());
        let has_room = self.counts.len() < MOST;
        match self.counts.get_mut(&key) {
            Some(known) => *known += count,
            None if has_room => return self.counts.insert(key, count).is_none(),
            None => self.further += count,
        }
        false
    }

    /// Returns the prefixes in the names of types, each with the IRI that it stands for. A prefix occurs several times
    /// if files define it differently.
    pub fn prefixes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.prefixes.iter().map(|(prefix, iri)| (&**prefix, &**iri))
    }

    /// Returns the kinds, most frequent first: the shortened type of the superstructure (empty for records), the tag
    /// and the count.
    pub fn most_frequent(&self) -> Vec<(&str, &str, u64)> {
        let mut all: Vec<_> =
            self.counts.iter().map(|((above, tag), &count)| (&**above, &**tag, count)).collect();
        all.sort_by_key(|&(.., count)| std::cmp::Reverse(count));
        all
    }

    /// Returns the number of tags that were not counted separately because there are too many kinds.
    pub const fn uncounted(&self) -> u64 {
        self.further
    }
}

/// The calendar of a date, or the reason why it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateKind {
    /// The Gregorian calendar, with or without an escape.
    Gregorian,
    /// The Julian calendar.
    Julian,
    /// The French Republican calendar.
    FrenchRepublican,
    /// The Hebrew calendar.
    Hebrew,
    /// A calendar that the standards do not define.
    Other,
    /// A date phrase: words in parentheses.
    Phrase,
    /// An invalid date whose meaning is unclear.
    Malformed,
    /// An empty payload.
    Empty,
}

impl DateKind {
    /// All kinds.
    pub const ALL: [DateKind; 8] = [
        DateKind::Gregorian,
        DateKind::Julian,
        DateKind::FrenchRepublican,
        DateKind::Hebrew,
        DateKind::Other,
        DateKind::Phrase,
        DateKind::Malformed,
        DateKind::Empty,
    ];

    /// Returns a description of the kind.
    pub const fn name(self) -> &'static str {
        match self {
            DateKind::Gregorian => "Gregorian",
            DateKind::Julian => "Julian",
            DateKind::FrenchRepublican => "French Republican",
            DateKind::Hebrew => "Hebrew",
            DateKind::Other => "an unknown calendar",
            DateKind::Phrase => "words only",
            DateKind::Malformed => "not a valid date",
            DateKind::Empty => "empty",
        }
    }

    /// Returns the kind of a date payload.
    fn of(text: &str, rules: DateRules) -> DateKind {
        if text.trim().is_empty() {
            return DateKind::Empty;
        }
        DateValue::parse_lenient(text, rules).map_or(DateKind::Malformed, |value| DateKind::of_value(&value))
    }

    fn of_value(value: &DateValue<'_>) -> DateKind {
        let calendar = value.first().map(|date| date.calendar());
        match (value.form(), calendar) {
            (DateForm::Phrase(_), _) | (_, None) => DateKind::Phrase,
            (_, Some(CalendarName::Known(calendar))) => DateKind::of_calendar(calendar),
            (_, Some(CalendarName::Unfamiliar(_) | CalendarName::Unknown)) => DateKind::Other,
        }
    }

    const fn of_calendar(calendar: Calendar) -> DateKind {
        match calendar {
            Calendar::Gregorian => DateKind::Gregorian,
            Calendar::Julian => DateKind::Julian,
            Calendar::FrenchRepublican => DateKind::FrenchRepublican,
            Calendar::Hebrew => DateKind::Hebrew,
        }
    }
}

/// The number of event dates of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DateKinds([u64; DateKind::ALL.len()]);

impl DateKinds {
    /// Counts a date.
    pub(crate) fn count(&mut self, date: Node<'_>) {
        self.0[DateKind::of(&date.text(), date.document().rules().schema.dates) as usize] += 1;
    }

    /// Adds the counts of another run or file.
    pub fn join(&mut self, more: &DateKinds) {
        self.0.iter_mut().zip(more.0).for_each(|(count, more)| *count += more);
    }

    /// Returns the kinds that occur, with their numbers.
    pub fn counts(&self) -> impl Iterator<Item = (DateKind, u64)> {
        DateKind::ALL.into_iter().zip(self.0).filter(|(_, count)| *count > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_told_apart_by_calendar() {
        for (text, kind) in [
            ("1 MAR 1850", DateKind::Gregorian),
            ("BET @#DJULIAN@ 1700 AND @#DJULIAN@ 1701", DateKind::Julian),
            ("@#DHEBREW@ 5779", DateKind::Hebrew),
            ("@#DFRENCH R@ 12 VEND 3", DateKind::FrenchRepublican),
            ("@#DROMAN@ 3", DateKind::Other),
            ("FRENCH_R 12 VEND 3", DateKind::FrenchRepublican),
            ("JULIAN 1700", DateKind::Julian),
            ("5 Oct 1835", DateKind::Gregorian),
            ("(in spring)", DateKind::Phrase),
            ("5.10.1835", DateKind::Malformed),
            (" ", DateKind::Empty),
        ] {
            assert_eq!(DateKind::of(text, DateRules::AsFound), kind, "{text}");
        }
    }

    #[test]
    fn kinds_of_tags_are_bounded() {
        let (mut one, mut other) = (UndefinedKinds::default(), UndefinedKinds::default());
        (0..MOST).for_each(|number| _ = one.add("elf:BIRTH", &format!("_{number}"), 1));
        (0..2 * MOST).for_each(|number| _ = other.add("elf:BIRTH", &format!("_{number}"), 2));
        one.join(&other);
        assert_eq!((one.most_frequent().len(), one.uncounted()), (MOST, 2 * MOST as u64));
    }
}
