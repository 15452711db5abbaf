//! Asks questions about facts: what can hardly be true of people, judging by the days of their
//! events.
//!
//! A fact is only reported if no choice of days within the dates makes it possible. The manual page
//! of each code says what is compared.

mod ages;
mod circles;
mod families;
mod generations;
mod optional;
mod parents;
mod persons;
mod records;
mod siblings;
mod words;

use crate::days::DayRange;
use crate::graph::{Event, FamilyId, Lineage, Person, PersonId};
use crate::{Role, Thresholds};
use circles::Circles;
use elf_base::{Code, Diagnostic, Place, Related, Rules, Sink};
use elf_values::{Calendar, CalendarDay};
pub use optional::OptionalQuestions;
use std::ops::Range;
pub(crate) use words::noun_of_role;

/// The maximum number of alternative events that a finding mentions.
const MAX_MENTIONED: usize = 3;

/// Which questions to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct QuestionOptions {
    /// The Julian day number of today.
    pub today: i64,
    /// Whether to ask about unlikely facts, not only about impossible ones.
    pub unlikely: bool,
    /// The thresholds for questions.
    pub thresholds: Thresholds,
    /// The questions that are only asked if the user names them.
    pub optional: OptionalQuestions,
}

impl QuestionOptions {
    /// Asks about impossible facts. `today` is a Julian day number.
    pub fn on(today: i64) -> QuestionOptions {
        QuestionOptions {
            today,
            unlikely: false,
            thresholds: Thresholds::default(),
            optional: OptionalQuestions::default(),
        }
    }

    /// Asks about impossible facts on a day of the Gregorian calendar; `None` if the day does not exist.
    ///
    /// ```
    /// use elf_lineage::QuestionOptions;
    ///
    /// assert_eq!(QuestionOptions::on_date(2026, 11, 22).map(|options| options.today), Some(2_461_367));
    /// assert_eq!(QuestionOptions::on_date(2026, 2, 29), None);
    /// ```
    pub fn on_date(year: i64, month: u8, day: u8) -> Option<QuestionOptions> {
        Calendar::Gregorian.day_number(CalendarDay { year, month, day }).map(QuestionOptions::on)
    }

    /// Sets whether to ask about unlikely facts, too.
    #[must_use]
    pub const fn with_unlikely(mut self, unlikely: bool) -> QuestionOptions {
        self.unlikely = unlikely;
        self
    }

    /// Sets which of the optional questions to ask.
    #[must_use]
    pub const fn with_optional(mut self, optional: OptionalQuestions) -> QuestionOptions {
        self.optional = optional;
        self
    }

    /// Sets the thresholds for questions.
    #[must_use]
    pub const fn with_thresholds(mut self, thresholds: Thresholds) -> QuestionOptions {
        self.thresholds = thresholds;
        self
    }
}

impl Lineage {
    /// Asks all questions and reports them to `sink`: about people first, then about families. Takes time
    /// proportional to the graph.
    ///
    /// ```
    /// use elf_lineage::{QuestionOptions, Lineage};
    /// use elf_schema::{Diagnostic, ReadOptions, Rules};
    ///
    /// let file = b"0 HEAD\n0 @I1@ INDI\n1 NAME Jane /Doe/\n1 BIRT\n2 DATE 14 MAY 1862\n1 DEAT\n2 DATE 1850\n0 TRLR\n";
    /// let typed = elf_schema::read(file, &Rules::WILD, &ReadOptions::default(), &mut ())?;
    /// let mut found: Vec<Diagnostic> = Vec::new();
    /// let options = QuestionOptions::on_date(2026, 11, 22).expect("a day");
    /// Lineage::of(&typed).questions(&options, &mut found);
    /// assert_eq!(
    ///     found[0].to_string(),
    ///     "line 7, column 1: question[P01]: Jane Doe (@I1@) died in 1850, at least 11 years before the birth \
    ///      on 14 MAY 1862"
    /// );
    /// # Ok::<(), elf_schema::TooLarge>(())
    /// ```
    pub fn questions(&self, options: &QuestionOptions, sink: &mut dyn Sink) {
        let questions = Questions::new(self, options);
        (0..questions.share_count()).for_each(|share| questions.ask(share, sink));
    }
}

/// The questions about a graph, divided into shares for several threads.
///
/// ```
/// use elf_lineage::{QuestionOptions, Lineage, Questions};
/// use elf_schema::{Diagnostic, ReadOptions, Rules};
///
/// let file = b"0 HEAD\n0 @I1@ INDI\n1 BIRT\n2 DATE 1862\n1 DEAT\n2 DATE 1850\n0 TRLR\n";
/// let typed = elf_schema::read(file, &Rules::WILD, &ReadOptions::default(), &mut ())?;
/// let lineage = Lineage::of(&typed);
/// let options = QuestionOptions::on_date(2026, 11, 22).expect("a day");
/// let questions = Questions::new(&lineage, &options);
/// let mut found: Vec<Diagnostic> = Vec::new();
/// (0..questions.share_count()).for_each(|share| questions.ask(share, &mut found));
/// assert_eq!(found.len(), 1);
/// # Ok::<(), elf_schema::TooLarge>(())
/// ```
#[derive(Debug)]
pub struct Questions<'l> {
    lineage: &'l Lineage,
    options: QuestionOptions,
    circles: Circles,
}

/// The subject of one share of the questions.
enum Share {
    Persons(Range<usize>),
    Generations,
    Families(Range<usize>),
    /// Groups of records that do not belong to one family, such as people who are their own
    /// ancestors.
    Rest,
}

impl<'l> Questions<'l> {
    /// The maximum number of people, or of families, in a share.
    const SHARE_SIZE: usize = 1024;

    /// Prepares the questions about a graph.
    pub fn new(lineage: &'l Lineage, options: &QuestionOptions) -> Questions<'l> {
        Questions { lineage, options: *options, circles: Circles::of_birth_links(lineage) }
    }

    /// Returns the number of shares.
    pub fn share_count(&self) -> usize {
        let [persons, families] = self.share_counts();
        persons + 1 + families + 1
    }

    /// Asks the questions of a share, numbered from 0. All shares in order give the result of [`Lineage::questions`].
    pub fn ask(&self, share: usize, sink: &mut dyn Sink) {
        let Questions { lineage, options, circles } = self;
        let mut asker = Asker { lineage, options: *options, sink };
        match self.share_of(share) {
            Share::Persons(numbers) => {
                for person in numbers.filter_map(|at| lineage.person(PersonId::of_index(at)?)) {
                    asker.ask_about_person(person);
                    asker.ask_about_record(person);
                    asker.ask_about_parents(person, circles);
                }
            }
            Share::Generations => asker.ask_about_generations(circles),
            Share::Families(numbers) => {
                for family in numbers.filter_map(|at| lineage.family(FamilyId::of_index(at)?)) {
                    asker.ask_about_family(family);
                    asker.ask_about_members(family);
                }
            }
            Share::Rest => {
                if options.unlikely {
                    asker.ask_about_ages();
                    asker.ask_about_siblings();
                }
                asker.ask_about_same_siblings();
                asker.ask_about_circles(circles);
            }
        }
    }

    /// Returns the numbers of shares for people and for families.
    fn share_counts(&self) -> [usize; 2] {
        [self.lineage.person_count(), self.lineage.family_count()]
            .map(|count| count.div_ceil(Self::SHARE_SIZE))
    }

    fn share_of(&self, number: usize) -> Share {
        let [persons, families] = self.share_counts();
        let numbers = |at: usize| at * Self::SHARE_SIZE..(at + 1) * Self::SHARE_SIZE;
        match number {
            number if number < persons => Share::Persons(numbers(number)),
            number if number == persons => Share::Generations,
            number if number - persons - 1 < families => Share::Families(numbers(number - persons - 1)),
            _ => Share::Rest,
        }
    }
}

/// An event and its days.
#[derive(Clone, Copy)]
struct DatedEvent<'l> {
    event: Event<'l>,
    days: DayRange,
}

/// Asks questions about one graph, and reports the answers.
struct Asker<'l, 's> {
    lineage: &'l Lineage,
    options: QuestionOptions,
    sink: &'s mut dyn Sink,
}

impl<'l> Asker<'l, '_> {
    /// Returns the days of an event, as far as its date limits them.
    fn range_of(&self, event: Event<'_>) -> DayRange {
        event.range_with_tolerance(self.options.thresholds.years_of_approximation)
    }

    /// Returns the main event with a role, with the days of the event. `None` if its date limits
    /// nothing.
    fn dated_event(&self, person: Person<'l>, role: Role) -> Option<DatedEvent<'l>> {
        let event = person.event(role)?;
        let days = self.range_of(event);
        (!days.is_any()).then_some(DatedEvent { event, days })
    }

    #[cold]
    fn report(
        &mut self,
        code: Code,
        place: Place,
        message: String,
        related: impl IntoIterator<Item = Related>,
    ) {
        let mut finding = Diagnostic::new(code, &Rules::WILD, message).at(place, None);
        finding.related.extend(related);
        self.sink.report(finding);
    }

    /// Mentions the other births or deaths in a finding. They do not count.
    fn mention_other_events(
        &self,
        person: Person<'l>,
        role: Role,
    ) -> impl Iterator<Item = Related> + use<'l> {
        let others = person.alternative_events(role).take(MAX_MENTIONED);
        others.map(move |event| {
            let what = words::noun_of_role(role);
            let which = if event.dated().range.is_any() {
                format!("another {what}")
            } else {
                format!("another {what}, {}", crate::days::describe_days(event.dated()))
            };
            Related::new(which, event.position(), None)
        })
    }
}

/// Creates a related place for a finding.
fn related_event(message: impl Into<std::borrow::Cow<'static, str>>, event: Event<'_>) -> Related {
    Related::new(message, event.position(), None)
}

/// Converts a number of years or days for calculations with days.
fn to_i32(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
