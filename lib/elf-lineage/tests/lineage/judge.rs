//! An independent judge: small families, every choice of days tried one by one.

use crate::{is_impossible, lineage, questions_on};
use elf_lineage::QuestionOptions;
use elf_values::{Calendar, CalendarDay};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use std::fmt::Write;

/// The Julian day number of 1 March 1800.
const BASE: i64 = 2_378_556;

/// Further away than any date of these families.
const FAR: i64 = 200_000;

/// The days that a date may mean, closed on both ends.
#[derive(Clone, Copy, Debug)]
struct Date {
    first: i64,
    last: i64,
    /// True if it is open before the first, or after the last.
    open: [bool; 2],
    /// The calendar that it is written in, if that has its days.
    calendar: Calendar,
}

#[derive(Clone, Debug)]
struct Human {
    sex: &'static str,
    events: Vec<(&'static str, Option<Date>)>,
    /// The years that the person is said to be old at the occupation.
    age: i64,
}

#[derive(Clone, Debug)]
struct Household {
    husband: Option<usize>,
    wife: Option<usize>,
    children: Vec<(usize, &'static str)>,
    events: Vec<(&'static str, Option<Date>)>,
}

/// A few persons and families.
#[derive(Clone, Debug)]
pub(crate) struct Clan {
    persons: Vec<Human>,
    families: Vec<Household>,
    /// The day on which it is asked about.
    today: i64,
}

/// Offsets of days whose differences lie around every threshold.
const OFFSETS: [i64; 22] = [
    0, 1, 2, 3, 4, 207, 208, 209, 210, 211, 293, 294, 295, 296, 4_382, 4_383, 4_384, 20_088, 20_089, 29_219,
    40_176, 40_178,
];

/// Ages that end or start a year beside a threshold, none of them a multiple of five that may be rounded.
const AGES: [i64; 8] = [10, 13, 53, 56, 78, 81, 108, 111];

/// Days on which is asked: after all dates, and among them.
const TODAYS: [i64; 4] = [BASE + FAR, BASE + 40_177, BASE + 4_383, BASE + 209];

const CALENDARS: [Calendar; 4] =
    [Calendar::Gregorian, Calendar::Julian, Calendar::FrenchRepublican, Calendar::Hebrew];

fn dates() -> impl Strategy<Value = Date> {
    let ends = prop_oneof![6 => Just([false; 2]), 1 => Just([true, false]), 1 => Just([false, true])];
    let written = (ends, prop::sample::select(&CALENDARS[..]));
    (prop::sample::select(&OFFSETS[..]), -1_i64..2, 0_i64..3, written).prop_map(
        |(day, by, length, (open, calendar))| Date {
            first: BASE + day + by,
            last: BASE + day + by + length,
            open,
            calendar,
        },
    )
}

fn event(tag: &'static str) -> impl Strategy<Value = (&'static str, Option<Date>)> {
    prop::option::weighted(0.6, dates()).prop_map(move |date| (tag, date))
}

fn humans() -> impl Strategy<Value = Human> {
    let events = (event("BIRT"), event("DEAT"), event("BAPM"), event("BURI"), event("OCCU"), event("WILL"));
    let said = (prop::sample::select(vec!["M", "F", "U"]), prop::sample::select(&AGES[..]));
    (said, events).prop_map(|((sex, age), (a, b, c, d, e, f))| Human {
        sex,
        events: vec![a, b, c, d, e, f],
        age,
    })
}

fn households(persons: usize) -> impl Strategy<Value = Household> {
    let partner = || prop::option::weighted(0.8, 0..persons);
    let tie = prop_oneof![4 => Just(""), 1 => Just("birth"), 1 => Just("adopted")];
    let children = prop::collection::vec((0..persons, tie), 0..4);
    (partner(), partner(), children, (event("MARR"), event("DIV"))).prop_map(
        |(husband, wife, mut children, (one, other))| {
            children.sort_unstable();
            children.dedup_by_key(|child| child.0);
            let wife = wife.filter(|wife| husband != Some(*wife));
            Household { husband, wife, children, events: vec![one, other] }
        },
    )
}

pub(crate) fn clans() -> impl Strategy<Value = Clan> {
    (2_usize..7).prop_flat_map(|persons| {
        let families = prop::collection::vec(households(persons), 1..4);
        let today = prop::sample::select(&TODAYS[..]);
        let parts = (prop::collection::vec(humans(), persons), families, today);
        parts.prop_map(|(persons, mut families, today)| {
            // Each is a child of one family at most.
            let mut met = Vec::new();
            for (child, _) in families.iter_mut().flat_map(|family| family.children.iter_mut()) {
                if met.contains(child) {
                    *child = usize::MAX;
                } else {
                    met.push(*child);
                }
            }
            families.iter_mut().for_each(|family| family.children.retain(|child| child.0 != usize::MAX));
            Clan { persons, families, today }
        })
    })
}

fn day(number: i64) -> CalendarDay {
    Calendar::Gregorian.day(number).expect("a near day")
}

impl Date {
    fn text(self) -> String {
        let has_both = [self.first, self.last].iter().all(|&number| self.calendar.day(number).is_some());
        let calendar = if has_both { self.calendar } else { Calendar::Gregorian };
        let escape = match calendar {
            Calendar::Gregorian => "",
            Calendar::Julian => "@#DJULIAN@ ",
            Calendar::FrenchRepublican => "@#DFRENCH R@ ",
            Calendar::Hebrew => "@#DHEBREW@ ",
        };
        let text = |number| {
            let CalendarDay { year, month, day } = calendar.day(number).expect("a day of the calendar");
            format!("{escape}{day} {} {year}", calendar.months()[usize::from(month) - 1])
        };
        match self.open {
            [true, _] => format!("BEF {}", text(self.last)),
            [_, true] => format!("AFT {}", text(self.first)),
            _ if self.first == self.last => text(self.first),
            _ => format!("BET {} AND {}", text(self.first), text(self.last)),
        }
    }

    /// The days to be tried: all of them, and one far away for an open end.
    fn days(self) -> Vec<i64> {
        let mut days: Vec<i64> = match self.open {
            [true, _] => vec![self.last - FAR, self.last],
            [_, true] => vec![self.first, self.first + FAR],
            _ => (self.first..=self.last).collect(),
        };
        days.dedup();
        days
    }
}

/// Returns whether it holds for every choice of days.
fn always(one: Option<Date>, other: Option<Date>, holds: impl Fn(i64, i64) -> bool) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    one.days().iter().all(|&one| other.days().iter().all(|&other| holds(one, other)))
}

/// The day on which somebody born on a day is so old.
fn birthday(born: i64, years: i64) -> i64 {
    let CalendarDay { year, month, day } = day(born);
    let find = |month, day| Calendar::Gregorian.day_number(CalendarDay { year: year + years, month, day });
    find(month, day).or_else(|| find(3, 1)).expect("a near day")
}

impl Clan {
    /// The records, with identifiers that begin so.
    pub(crate) fn text(&self, prefix: &str) -> String {
        let mut text = String::new();
        let dated = |text: &mut String, events: &[(&str, Option<Date>)]| {
            for (tag, date) in events {
                if let Some(date) = date {
                    let _ = write!(text, "1 {tag}\n2 DATE {}\n", date.text());
                }
            }
        };
        for (number, family) in self.families.iter().enumerate() {
            let _ = writeln!(text, "0 @{prefix}F{number}@ FAM");
            for (tag, partner) in [("HUSB", family.husband), ("WIFE", family.wife)] {
                if let Some(partner) = partner {
                    let _ = writeln!(text, "1 {tag} @{prefix}I{partner}@");
                }
            }
            for (child, _) in &family.children {
                let _ = writeln!(text, "1 CHIL @{prefix}I{child}@");
            }
            dated(&mut text, &family.events);
        }
        for (number, person) in self.persons.iter().enumerate() {
            let _ = write!(text, "0 @{prefix}I{number}@ INDI\n1 NAME N{number} /X/\n1 SEX {}\n", person.sex);
            for event in &person.events {
                dated(&mut text, std::slice::from_ref(event));
                if let ("OCCU", Some(_)) = event {
                    let _ = writeln!(text, "2 AGE {}y", person.age);
                }
            }
            for (of, family) in self.families.iter().enumerate() {
                for (_, tie) in
                    family.children.iter().filter(|(child, tie)| *child == number && !tie.is_empty())
                {
                    let _ = write!(text, "1 FAMC @{prefix}F{of}@\n2 PEDI {tie}\n");
                }
            }
        }
        text
    }

    fn date(&self, person: usize, tag: &str) -> Option<Date> {
        self.persons[person].events.iter().find(|(of, _)| *of == tag).and_then(|(_, date)| *date)
    }

    /// The partners of a family, with their sexes.
    fn partners(&self, family: &Household) -> Vec<(usize, &'static str)> {
        let sex = |person: usize, role| {
            if self.persons[person].sex == "U" { role } else { self.persons[person].sex }
        };
        let husband = family.husband.map(|person| (person, sex(person, "M")));
        husband.into_iter().chain(family.wife.map(|person| (person, sex(person, "F")))).collect()
    }

    fn is_by_birth(&self, family: &Household, tie: &str) -> bool {
        let is_pair = match (family.husband, family.wife) {
            (Some(one), Some(other)) => {
                let (one, other) = (self.persons[one].sex, self.persons[other].sex);
                one == "U" || one != other
            }
            _ => true,
        };
        tie == "birth" || tie.is_empty() && is_pair
    }

    fn judge_person(&self, person: usize, found: &mut Vec<(&'static str, String)>) {
        let date = |tag| self.date(person, tag);
        let (born, died) = (date("BIRT"), date("DEAT"));
        let mut ask = |code, holds| {
            if holds {
                found.push((code, format!("I{person}")));
            }
        };
        let before = |one, other| always(one, other, |one, other| one < other);
        ask("P01", before(died, born));
        ask("P02", before(date("BURI"), died));
        for tag in ["BURI", "OCCU", "WILL"] {
            ask("P06", before(date(tag), born));
        }
        ask("P12", !before(died, born) && always(born, died, |born, died| died > birthday(born, 110)));
        ask("P15", before(date("BAPM"), born));
        for tag in ["BAPM", "OCCU"] {
            ask("P16", before(died, date(tag)));
        }
        ask("P19", before(died, date("WILL")));
        // A year more or less is nothing, and the dead grow no older.
        let (worked, age) = (date("OCCU"), self.persons[person].age);
        let is_over = |born, day| day >= birthday(born, age + 2);
        let is_over = always(born, worked, is_over) && (died.is_none() || always(born, died, is_over));
        let is_under = always(born, worked, |born, day| day < birthday(born, age - 1));
        ask("P21", !before(worked, born) && (is_over || is_under));
    }

    fn judge_family(&self, number: usize, circles: &[Vec<usize>], found: &mut Vec<(&'static str, String)>) {
        let family = &self.families[number];
        let [(_, married), (_, divorced)] = family.events[..] else { panic!("two events") };
        let place = || format!("F{number}");
        let before = |one, other| always(one, other, |one, other| one < other);
        for (partner, sex) in self.partners(family) {
            let (born, died) = (self.date(partner, "BIRT"), self.date(partner, "DEAT"));
            let mut ask = |code, holds, place: String| {
                if holds {
                    found.push((code, place));
                }
            };
            ask("P07", before(married, born), place());
            let is_young = always(born, married, |born, married| married < birthday(born, 12));
            ask("P13", is_young && !before(married, born), place());
            ask("P17", before(died, married), place());
            ask("P06", before(divorced, born), place());
            ask("P16", before(died, divorced), place());
            for &(child, _) in family.children.iter().filter(|(_, tie)| self.is_by_birth(family, tie)) {
                // A circle is the question, not what it makes of the births in it.
                if circles.iter().any(|circle| circle.contains(&child) && circle.contains(&partner)) {
                    continue;
                }
                let (birth, place) = (self.date(child, "BIRT"), format!("I{child}"));
                let (most, last) = if sex == "F" { (55, 0) } else { (80, 294) };
                let is_before = before(birth, born);
                let is_young = always(born, birth, |born, birth| birth < birthday(born, 12));
                ask("P05", is_before, place.clone());
                ask("P10", is_young && !is_before, place.clone());
                ask("P11", always(born, birth, |born, birth| birth > birthday(born, most)), place.clone());
                let code = if sex == "F" { "P03" } else { "P04" };
                ask(code, always(died, birth, |died, birth| birth > died + last), place);
            }
        }
        if before(divorced, married) {
            found.push(("P18", place()));
        }
    }

    /// The children that count as those of one mother, or of one family without one.
    fn judge_siblings(&self, found: &mut Vec<(&'static str, String)>) {
        let mut of_mothers: Vec<(String, Vec<usize>)> = Vec::new();
        for (number, family) in self.families.iter().enumerate() {
            let mothers: Vec<String> = self
                .partners(family)
                .iter()
                .filter(|(_, sex)| *sex == "F")
                .map(|(person, _)| format!("I{person}"))
                .collect();
            let mothers = if mothers.is_empty() { vec![format!("F{number}")] } else { mothers };
            let born = family.children.iter().filter(|(_, tie)| self.is_by_birth(family, tie));
            let born: Vec<usize> = born.map(|(child, _)| *child).collect();
            for mother in mothers {
                match of_mothers.iter_mut().find(|(known, _)| *known == mother) {
                    Some((_, children)) => children.extend(&born),
                    None => of_mothers.push((mother, born.clone())),
                }
            }
        }
        for (_, children) in of_mothers {
            for &child in &children {
                let born = self.date(child, "BIRT");
                let is_close = children.iter().any(|&other| {
                    let apart = |one: i64, other: i64| (3..210).contains(&(other - one));
                    other != child && always(self.date(other, "BIRT"), born, apart)
                });
                if is_close {
                    found.push(("P14", format!("I{child}")));
                }
            }
        }
    }

    /// The parents by birth, but for those in a circle with the child.
    fn parents(&self, child: usize, circles: &[Vec<usize>]) -> Vec<usize> {
        let of_child = self.families.iter().flat_map(|family| {
            let ties = family
                .children
                .iter()
                .filter(move |(one, tie)| *one == child && self.is_by_birth(family, tie));
            ties.flat_map(|_| self.partners(family)).map(|(parent, _)| parent)
        });
        let in_circle =
            |parent: &usize| circles.iter().any(|circle| circle.contains(&child) && circle.contains(parent));
        of_child.filter(|parent| !in_circle(parent)).collect()
    }

    /// The persons born before an ancestor, with nobody between, nor themselves, whose birth is asked about.
    fn judge_generations(&self, circles: &[Vec<usize>], mut asked: Vec<bool>) -> Vec<usize> {
        let mut found = Vec::new();
        let mut judged = vec![false; self.persons.len()];
        // Whoever has parents comes after them.
        while let Some(person) = (0..judged.len())
            .find(|&one| !judged[one] && self.parents(one, circles).iter().all(|&parent| judged[parent]))
        {
            judged[person] = true;
            let mut above = self.parents(person, circles);
            let mut met = Vec::new();
            while let Some(ancestor) = above.pop().filter(|_| !asked[person]) {
                let is_before =
                    always(self.date(person, "BIRT"), self.date(ancestor, "BIRT"), |one, other| one < other);
                met.push(ancestor);
                if is_before {
                    asked[person] = true;
                    found.push(person);
                }
                if !asked[ancestor] {
                    above.extend(self.parents(ancestor, circles).iter().filter(|one| !met.contains(one)));
                }
            }
        }
        assert!(judged.iter().all(|judged| *judged), "no circle is left");
        found
    }

    /// The first person of each group that are ancestors of each other.
    fn circles(&self, all: bool) -> Vec<Vec<usize>> {
        let count = self.persons.len();
        let mut above = vec![vec![false; count]; count];
        for family in &self.families {
            for (child, tie) in &family.children {
                for (parent, _) in self.partners(family) {
                    above[*child][parent] |= all || self.is_by_birth(family, tie);
                }
            }
        }
        for by in 0..count {
            for from in 0..count {
                for to in 0..count {
                    above[from][to] |= above[from][by] && above[by][to];
                }
            }
        }
        let mut circles: Vec<Vec<usize>> = (0..count)
            .filter(|&one| above[one][one])
            .map(|one| (0..count).filter(|&other| above[one][other] && above[other][one]).collect())
            .collect();
        circles.sort();
        circles.dedup();
        circles
    }

    /// Asks about each date of some events whether all its days are still to come.
    fn judge_future(
        &self,
        events: &[(&str, Option<Date>)],
        place: &str,
        found: &mut Vec<(&'static str, String)>,
    ) {
        let dates = events.iter().filter_map(|(_, date)| *date);
        let coming = dates.filter(|date| date.days().iter().all(|&day| day > self.today));
        found.extend(coming.map(|_| ("P09", place.to_owned())));
    }

    fn judge(&self, unlikely: bool) -> Vec<(&'static str, String)> {
        let mut found = Vec::new();
        for (number, person) in self.persons.iter().enumerate() {
            self.judge_future(&person.events, &format!("I{number}"), &mut found);
        }
        for (number, family) in self.families.iter().enumerate() {
            self.judge_future(&family.events, &format!("F{number}"), &mut found);
        }
        (0..self.persons.len()).for_each(|person| self.judge_person(person, &mut found));
        let by_birth = self.circles(false);
        (0..self.families.len()).for_each(|family| self.judge_family(family, &by_birth, &mut found));
        self.judge_siblings(&mut found);
        let is_asked =
            |person: usize| found.iter().any(|(code, of)| *code == "P05" && *of == format!("I{person}"));
        let asked: Vec<bool> = (0..self.persons.len()).map(is_asked).collect();
        let descendants = self.judge_generations(&by_birth, asked);
        found.extend(descendants.into_iter().map(|person| ("P20", format!("I{person}"))));
        found.retain(|(code, _)| unlikely || is_impossible(code));
        let mut circles = by_birth.clone();
        if unlikely {
            let is_new = |circle: &Vec<usize>| !by_birth.iter().flatten().any(|one| circle.contains(one));
            circles.extend(self.circles(true).into_iter().filter(is_new));
        }
        found.extend(circles.iter().map(|circle| ("P08", format!("I{}", circle[0]))));
        found.sort();
        found
    }
}

/// Returns whether the judge knows a question: those about days. `records` has the tests of the others.
pub(crate) fn is_judged(code: elf_schema::Code) -> bool {
    code.id() < "P22"
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_engine_asks_what_the_judge_does(clan in clans()) {
        let text = clan.text("");
        let lineage = lineage(text.trim_end());
        for unlikely in [false, true] {
            let mut found: Vec<(&'static str, String)> = questions_on(&lineage, QuestionOptions::on(clan.today), unlikely)
                .iter()
                .filter(|found| is_judged(found.code))
                .map(|found| {
                    let line = found.place.map_or(0, |place| place.line);
                    let persons = lineage.persons().map(|one| (one.position().line, one.identifier()));
                    let families = lineage.families().map(|one| (one.position().line, one.identifier()));
                    let record = persons.chain(families).filter(|(at, _)| *at <= line).max();
                    (found.code.id(), record.and_then(|(_, of)| of).unwrap_or_default())
                })
                .collect();
            found.sort();
            prop_assert_eq!(found, clan.judge(unlikely), "{}", text);
        }
    }
}

#[test]
fn the_judge_has_every_question_to_judge() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = clans();
    let mut met = std::collections::BTreeSet::new();
    for _ in 0..2_000 {
        let clan = strategy.new_tree(&mut runner).expect("a clan").current();
        met.extend(clan.judge(true).into_iter().map(|(code, _)| code));
    }
    let all =
        elf_schema::codes::all().filter(|code| code.is_question() && is_judged(*code)).map(|code| code.id());
    let missing: Vec<&str> = all.filter(|code| !met.contains(code)).collect();
    assert!(missing.is_empty(), "questions that no clan of the judge raises: {missing:?}");
}
