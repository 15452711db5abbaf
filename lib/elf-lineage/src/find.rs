//! Finds people by the content of their records.

use crate::facts::PersonFacts;
use crate::fold::folded;
use crate::graph::{Lineage, Person, PersonId};
use crate::living::LivingRule;
use crate::sounds::SoundPattern;
use crate::view::{EventStructure, LineageView};
use crate::walk::TiesFollowed;
use elf_schema::elf_tagged::path::{Path, Selector};
use elf_schema::{Node, PathTypes};
use elf_values::{Bound, Calendar, CalendarDay, Days};
use std::collections::HashSet;
use std::str::FromStr;

/// A query for people. Without conditions, it finds everybody.
///
/// ```
/// use elf_lineage::{Lineage, LineageView, PersonQuery};
/// use elf_schema::{ReadOptions, Rules};
///
/// let file = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Eva /Müller/\n1 BIRT\n2 DATE ABT 1850\n0 @I2@ INDI\n\
///     1 NAME Max /MULLER/\n1 SOUR x\n0 TRLR\n";
/// let typed = elf_schema::read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())?;
/// let lineage = Lineage::of(&typed);
/// let view = LineageView::new(&lineage, &typed);
/// let found = |query: PersonQuery| -> Vec<String> {
///     let found = query.find(&view).expect("no unknown person");
///     found.into_iter().filter_map(|id| lineage.person(id)?.identifier()).collect()
/// };
/// assert_eq!(found(PersonQuery::new().with_name("muller")), ["I1", "I2"]);
/// assert_eq!(found(PersonQuery::new().with_birth("1840..1850".parse()?)), ["I1"]);
/// assert_eq!(found(PersonQuery::new().without_structure("SOUR".parse()?)), ["I1"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct PersonQuery {
    names: Vec<String>,
    surnames: Vec<String>,
    given_names: Vec<String>,
    sound: Option<SoundPattern>,
    born: Option<YearRange>,
    died: Option<YearRange>,
    places: Vec<String>,
    sex: Option<SexCode>,
    has: Vec<Path>,
    lacks: Vec<Path>,
    is_unconnected: bool,
    ancestor_of: Option<String>,
    descendant_of: Option<String>,
    living: Option<LivingCondition>,
}

/// The sex that a query looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SexCode {
    /// Male: `M`.
    Male,
    /// Female: `F`.
    Female,
    /// Neither: `X`.
    Other,
    /// Unknown: the payload is `U` or anything else, or there is no sex.
    Unknown,
}

/// A range of years, both ends included: `1850`, `1850..1860`, `..1850`, `1850..`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct YearRange {
    first: Option<u16>,
    last: Option<u16>,
}

/// The reason why a text is not a valid range of years.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum YearRangeError {
    /// A year is expected but missing.
    #[error("expected years such as `1850`, `1850..1860`, `..1850` or `1850..`")]
    Malformed,
    /// The range ends before it starts.
    #[error("the range ends before it starts: did you mean `{last}..{first}`?")]
    Reversed {
        /// The first year.
        first: u16,
        /// The last year.
        last: u16,
    },
}

/// The reason why an identifier does not identify a person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PersonError {
    /// No person has the identifier.
    #[error("no person has the identifier `@{0}@`")]
    Unknown(String),
    /// Several persons have the identifier.
    #[error("several people have the identifier `@{0}@`")]
    Repeated(String),
}

#[derive(Clone, Copy, Debug)]
struct LivingCondition {
    rule: LivingRule,
    is_living: bool,
}

impl Lineage {
    /// Returns the only person with an identifier, given without at signs. Searches all people.
    ///
    /// # Errors
    ///
    /// [`PersonError`] if no person has the identifier, or several have.
    pub fn only_person(&self, identifier: &str) -> Result<Person<'_>, PersonError> {
        let key = self.long.find(identifier);
        let mut found = self.persons().filter(|person| Some(person.data.key) == key);
        match (found.next(), found.next()) {
            (Some(person), None) => Ok(person),
            (Some(_), Some(_)) => Err(PersonError::Repeated(identifier.to_owned())),
            (None, _) => Err(PersonError::Unknown(identifier.to_owned())),
        }
    }
}

impl PersonQuery {
    /// Creates a query without conditions.
    pub fn new() -> PersonQuery {
        PersonQuery::default()
    }

    /// Requires each word of the text to occur in a name or in a title, in any order. Variants,
    /// aliases and married names count, and so do the payloads of `TITL`. Case and accents are
    /// ignored.
    pub fn with_name(mut self, text: &str) -> PersonQuery {
        self.names.extend(folded_words(text));
        self
    }

    /// Requires each word of the text to occur in a surname.
    pub fn with_surname(mut self, text: &str) -> PersonQuery {
        self.surnames.extend(folded_words(text));
        self
    }

    /// Requires each word of the text to occur in given names.
    pub fn with_given(mut self, text: &str) -> PersonQuery {
        self.given_names.extend(folded_words(text));
        self
    }

    /// Requires a surname that sounds like the text.
    pub fn with_sound(mut self, text: &str) -> PersonQuery {
        self.sound = Some(SoundPattern::new(text));
        self
    }

    /// Requires that the birth may have been in these years. Without a usable date of birth, the
    /// baptism is used.
    pub fn with_birth(mut self, years: YearRange) -> PersonQuery {
        self.born = Some(years);
        self
    }

    /// Requires that the death may have been in these years. Without a usable date of death, the
    /// burial or cremation is used.
    pub fn with_death(mut self, years: YearRange) -> PersonQuery {
        self.died = Some(years);
        self
    }

    /// Requires an event whose place contains the text. It may be an event of the person, or of a
    /// family in which the person is a partner.
    pub fn with_place(mut self, text: &str) -> PersonQuery {
        self.places.push(fold_place(text));
        self
    }

    /// Requires this sex.
    pub fn with_sex(mut self, sex: SexCode) -> PersonQuery {
        self.sex = Some(sex);
        self
    }

    /// Requires a structure at a path within the record. `SOUR` means anywhere in the record.
    pub fn with_structure(mut self, path: Path) -> PersonQuery {
        self.has.push(path);
        self
    }

    /// Requires that there is no structure at a path within the record. `SOUR` means anywhere in
    /// the record.
    pub fn without_structure(mut self, path: Path) -> PersonQuery {
        self.lacks.push(path);
        self
    }

    /// Requires that the person is not in a family, neither as a child nor as a partner.
    pub fn without_families(mut self) -> PersonQuery {
        self.is_unconnected = true;
        self
    }

    /// Requires an ancestor by birth of the person with this identifier.
    pub fn with_descendant(mut self, identifier: &str) -> PersonQuery {
        self.ancestor_of = Some(identifier.to_owned());
        self
    }

    /// Requires a descendant by birth of the person with this identifier.
    pub fn with_ancestor(mut self, identifier: &str) -> PersonQuery {
        self.descendant_of = Some(identifier.to_owned());
        self
    }

    /// Requires that the person may be living under a rule or, if `is_living` is false, that the
    /// person may not. Read the graph with
    /// [`with_unclear_records`](crate::LineageReader::with_unclear_records).
    pub fn with_living(mut self, rule: LivingRule, is_living: bool) -> PersonQuery {
        self.living = Some(LivingCondition { rule, is_living });
        self
    }

    /// Returns the people who meet all conditions, in the order of the file.
    ///
    /// # Errors
    ///
    /// [`PersonError`] if no person has the identifier of [`with_descendant`](PersonQuery::with_descendant) or
    /// [`with_ancestor`](PersonQuery::with_ancestor), or several have.
    pub fn find(&self, view: &LineageView<'_, '_>) -> Result<Vec<PersonId>, PersonError> {
        let lineage = view.lineage();
        let kin = QueriedRelatives {
            ancestors: self
                .ancestor_of
                .as_deref()
                .map(|of| relatives_of(lineage, of, ancestors_by_birth))
                .transpose()?,
            descendants: self
                .descendant_of
                .as_deref()
                .map(|of| relatives_of(lineage, of, descendants_by_birth))
                .transpose()?,
        };
        let document = view.typed().document();
        let mut types = PathTypes::new(view.typed().typing(), document.rules());
        let is_found = |person: &Person<'_>| {
            self.matches_graph(*person, &kin)
                && view.facts(person.id()).is_some_and(|facts| {
                    self.matches_names(&facts)
                        && self.matches_facts(&facts)
                        && self.matches_paths(facts.record, &mut types)
                })
        };
        Ok(lineage.persons().filter(is_found).map(Person::id).collect())
    }

    fn matches_graph(&self, person: Person<'_>, kin: &QueriedRelatives) -> bool {
        let is_connected =
            || person.families_as_child().next().is_some() || person.families_as_partner().next().is_some();
        let is_among =
            |kin: &Option<HashSet<PersonId>>| kin.as_ref().is_none_or(|kin| kin.contains(&person.id()));
        let fits_living =
            |LivingCondition { rule, is_living }: LivingCondition| person.may_be_living(&rule) == is_living;
        !(self.is_unconnected && is_connected())
            && is_among(&kin.ancestors)
            && is_among(&kin.descendants)
            && self.living.is_none_or(fits_living)
    }

    fn matches_names(&self, facts: &PersonFacts<'_, '_>) -> bool {
        let contain = |words: &[String], texts: Vec<&str>| {
            let texts: Vec<String> =
                if words.is_empty() { Vec::new() } else { texts.into_iter().map(folded).collect() };
            words.iter().all(|word| texts.iter().any(|text| text.contains(word.as_str())))
        };
        contain_words(&self.names, facts)
            && contain(&self.surnames, facts.names.iter().map(|name| &*name.surname).collect())
            && contain(&self.given_names, facts.names.iter().map(|name| &*name.given).collect())
            && self
                .sound
                .as_ref()
                .is_none_or(|sound| facts.names.iter().any(|name| sound.is_like(&name.surname)))
    }

    /// Returns the events of a person whose places fit [`with_place`](PersonQuery::with_place), each
    /// with the place that fits. They include those of the families in which the person is a
    /// partner. Empty if the query has no condition about places.
    ///
    /// ```
    /// use elf_lineage::{Lineage, LineageView, PersonQuery};
    /// use elf_schema::{ReadOptions, Rules};
    ///
    /// let file = b"0 HEAD\n0 @I1@ INDI\n1 BIRT\n2 PLAC Linz\n1 DEAT\n2 PLAC Wien\n0 TRLR\n";
    /// let typed = elf_schema::read(file, &Rules::WILD, &ReadOptions::default(), &mut ())?;
    /// let lineage = Lineage::of(&typed);
    /// let view = LineageView::new(&lineage, &typed);
    /// let query = PersonQuery::new().with_place("wien");
    /// let person = query.find(&view).expect("no unknown person")[0];
    /// let events = query.events_at_places(&view, person);
    /// assert_eq!(events.iter().map(|event| event.event.tag()).collect::<Vec<_>>(), ["DEAT"]);
    /// # Ok::<(), elf_schema::TooLarge>(())
    /// ```
    pub fn events_at_places<'d>(
        &self,
        view: &LineageView<'_, 'd>,
        person: PersonId,
    ) -> Vec<EventStructure<'d>> {
        let families = view.lineage().person(person).into_iter().flat_map(Person::families_as_partner);
        let records = view.person(person).into_iter();
        let records = records.chain(families.filter_map(|family| view.family(family.id())));
        let is_at = |place: &str| self.places.iter().any(|wanted| fold_place(place).contains(wanted));
        let mut found = Vec::new();
        for event in records.flat_map(|record| view.events_of_record(record)) {
            let places = event.event.substructures().filter(|part| part.tag() == "PLAC");
            let places = event.place.into_iter().chain(places);
            if let Some(place) = places.into_iter().find(|place| is_at(&place.text())) {
                found.push(EventStructure { place: Some(place), ..event });
            }
        }
        found
    }

    fn matches_facts(&self, facts: &PersonFacts<'_, '_>) -> bool {
        let is_in = |years: Option<YearRange>, days: Option<Days>| {
            years.is_none_or(|years| days.is_some_and(|days| years.overlaps(days)))
        };
        let is_at = |place: &String| facts.places.iter().any(|other| fold_place(other).contains(place));
        is_in(self.born, facts.born)
            && is_in(self.died, facts.died)
            && self.places.iter().all(is_at)
            && self.sex.is_none_or(|sex| sex == SexCode::of(&facts.sex))
    }

    fn matches_paths(&self, record: Node<'_>, types: &mut PathTypes) -> bool {
        self.has.iter().all(|path| has_structure(record, path, types))
            && !self.lacks.iter().any(|path| has_structure(record, path, types))
    }
}

/// The relatives of the people whom a query names as an ancestor or a descendant.
struct QueriedRelatives {
    ancestors: Option<HashSet<PersonId>>,
    descendants: Option<HashSet<PersonId>>,
}

fn relatives_of(
    lineage: &Lineage,
    identifier: &str,
    of: fn(Person<'_>) -> HashSet<PersonId>,
) -> Result<HashSet<PersonId>, PersonError> {
    lineage.only_person(identifier).map(of)
}

fn ancestors_by_birth(person: Person<'_>) -> HashSet<PersonId> {
    person.ancestors(TiesFollowed::ByBirth).map(|(ancestor, _)| ancestor.id()).collect()
}

fn descendants_by_birth(person: Person<'_>) -> HashSet<PersonId> {
    person.descendants(TiesFollowed::ByBirth).map(|(descendant, _)| descendant.id()).collect()
}

/// Returns whether a record has a structure at a path within the record.
fn has_structure(record: Node<'_>, path: &Path, types: &mut PathTypes) -> bool {
    let found_deep = match path.steps() {
        [step] if step.selector == Selector::Tag("SOUR".into()) => record.descendants().any(|node| {
            let is_wanted = |value: &str| node.payload().into_value() == value;
            node.tag() == "SOUR" && step.value.as_deref().is_none_or(is_wanted)
        }),
        _ => false,
    };
    found_deep || !record.document().find_under(record, path, types).is_empty()
}

/// Returns whether each word occurs in a name or a title of a person.
fn contain_words(words: &[String], facts: &PersonFacts<'_, '_>) -> bool {
    if words.is_empty() {
        return true;
    }
    let mut texts: Vec<String> = facts.names.iter().flat_map(|name| name.texts()).map(folded).collect();
    let titles = facts.record.substructures().filter(|node| matches!(node.tag(), "TITL" | "ALIA"));
    texts.extend(titles.filter(|node| node.pointer().is_none()).map(|node| folded(&node.text())));
    words.iter().all(|word| texts.iter().any(|text| text.contains(word.as_str())))
}

/// Returns the folded words of a text. Slashes and commas separate words, as in names.
fn folded_words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '/' | ','));
    words.map(folded).filter(|word| !word.is_empty()).collect()
}

/// Folds a place, and removes the spaces around its commas.
fn fold_place(place: &str) -> String {
    let parts: Vec<String> = place.split(',').map(folded).collect();
    parts.join(",")
}

impl SexCode {
    /// All sexes.
    pub const ALL: [SexCode; 4] = [SexCode::Male, SexCode::Female, SexCode::Other, SexCode::Unknown];

    /// Returns the letter: `M`, `F`, `X` or `U`.
    pub const fn name(self) -> &'static str {
        match self {
            SexCode::Male => "M",
            SexCode::Female => "F",
            SexCode::Other => "X",
            SexCode::Unknown => "U",
        }
    }

    /// Returns the sex in words.
    pub const fn about(self) -> &'static str {
        match self {
            SexCode::Male => "Male",
            SexCode::Female => "Female",
            SexCode::Other => "Neither male nor female",
            SexCode::Unknown => "Unknown, missing or unreadable",
        }
    }

    fn of(text: &str) -> SexCode {
        let known = SexCode::ALL.into_iter().find(|sex| sex.name().eq_ignore_ascii_case(text));
        known.unwrap_or(SexCode::Unknown)
    }
}

impl YearRange {
    /// Returns whether some of these days are in these years.
    fn overlaps(self, days: Days) -> bool {
        let day = |year: u16, month, day| {
            Calendar::Gregorian.day_number(CalendarDay { year: year.into(), month, day })
        };
        let starts_in_time = match (self.last.and_then(|year| day(year, 12, 31)), days.earliest) {
            (Some(last), Bound::Day(earliest)) => earliest <= last,
            _ => true,
        };
        let ends_in_time = match (self.first.and_then(|year| day(year, 1, 1)), days.latest) {
            (Some(first), Bound::Day(latest)) => latest >= first,
            _ => true,
        };
        starts_in_time && ends_in_time
    }
}

impl FromStr for YearRange {
    type Err = YearRangeError;

    fn from_str(text: &str) -> Result<YearRange, YearRangeError> {
        let year = |text: &str| -> Result<Option<u16>, YearRangeError> {
            let text = text.trim();
            let is_year = (1..=4).contains(&text.len()) && text.bytes().all(|digit| digit.is_ascii_digit());
            match (text, text.parse()) {
                ("", _) => Ok(None),
                (_, Ok(year)) if is_year && year > 0 => Ok(Some(year)),
                _ => Err(YearRangeError::Malformed),
            }
        };
        let (first, last) = match text.split_once("..") {
            Some((first, last)) => (year(first)?, year(last)?),
            None => (year(text)?, year(text)?),
        };
        match (first, last) {
            (None, None) => Err(YearRangeError::Malformed),
            (Some(first), Some(last)) if first > last => Err(YearRangeError::Reversed { first, last }),
            _ => Ok(YearRange { first, last }),
        }
    }
}
