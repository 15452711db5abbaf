//! The records of one clan: people, families, sources, notes, archives.
//!
//! All tags are defined in the published default schema, so that a check of a generated file finds nothing. So nobody
//! is buried (its BURI is misprinted) and no event has a telephone.

use super::clan::{Clan, PRESENT, Person};
use super::lines::Lines;
use super::random::Random;
use super::words::{ARCHIVES, BOOKS, CAUSES, MONTHS, OCCUPATIONS, RELATIONS, SENTENCES};
use std::fmt;
use std::io;

/// The number of records of each kind in earlier clans. Identifiers continue from there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Base {
    pub(super) people: u64,
    pub(super) families: u64,
    pub(super) sources: u64,
    pub(super) notes: u64,
    pub(super) repositories: u64,
}

impl Base {
    pub(super) fn after(self, clan: &Clan) -> Base {
        Base {
            people: self.people + clan.people.len() as u64,
            families: self.families + clan.families.len() as u64,
            sources: self.sources + clan.sources,
            notes: self.notes + clan.notes,
            repositories: self.repositories + clan.repositories,
        }
    }
}

/// The maximum number of bytes of text in a line. With level, identifier, tag and line break, no line exceeds the 255
/// bytes that December 2019 recommends, up to a hundred million notes.
const WIDTH: usize = 232;

/// The records that a record may refer to: those of its clan and of earlier clans.
pub(super) struct Context<'c> {
    pub(super) clan: &'c Clan,
    pub(super) base: Base,
}

/// A date in the spelling of GEDCOM. The day and the qualifier are often missing.
struct Date {
    qualifier: &'static str,
    day: u64,
    month: &'static str,
    year: u64,
}

impl Date {
    fn new(random: &mut Random, year: u64) -> Date {
        let exact = random.chance(75);
        Date {
            qualifier: if exact { "" } else { random.pick(&["ABT ", "BEF ", "AFT ", "CAL ", "EST "]) },
            day: if exact { random.between(1, 28) } else { 0 },
            month: if exact || random.chance(20) { random.pick(MONTHS) } else { "" },
            year,
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.qualifier)?;
        if self.day > 0 {
            write!(f, "{} ", self.day)?;
        }
        if !self.month.is_empty() {
            write!(f, "{} ", self.month)?;
        }
        write!(f, "{}", self.year)
    }
}

/// Writes the people of a clan.
pub(super) fn write_people(
    lines: &mut Lines<'_>,
    context: &Context<'_>,
    random: &mut Random,
) -> io::Result<()> {
    let Context { clan, base } = context;
    for (number, person) in (base.people + 1..).zip(&clan.people) {
        lines.write_record('I', number, "INDI")?;
        write_name(lines, person)?;
        lines.write_line(1, "SEX", if person.woman { "F" } else { "M" })?;
        write_individual_events(lines, context, person, random)?;
        if let Some(family) = person.child_of {
            lines.write_pointer(1, "FAMC", 'F', base.families + family as u64 + 1)?;
        }
        for &family in &person.spouse_in {
            lines.write_pointer(1, "FAMS", 'F', base.families + family as u64 + 1)?;
        }
        if random.chance(6) && number > 1 {
            lines.write_pointer(1, "ASSO", 'I', random.between(1, number - 1))?;
            lines.write_line(2, "RELA", random.pick(RELATIONS))?;
        }
        if random.chance(12) {
            let text = make_sentences(context, person.born, random);
            write_note(lines, 1, &text, random)?;
        }
        if random.chance(4) {
            lines.write_pointer(1, "NOTE", 'N', random.between(1, base.notes + clan.notes))?;
        }
        if random.chance(20) {
            write_citation(lines, 1, context, random)?;
        }
        write_change_date(lines, random)?;
    }
    Ok(())
}

fn write_name(lines: &mut Lines<'_>, person: &Person) -> io::Result<()> {
    let Person { given, second, surname, .. } = person;
    let space = if second.is_empty() { "" } else { " " };
    lines.write_line(1, "NAME", format_args!("{given}{space}{second} /{surname}/"))?;
    lines.write_line(2, "GIVN", format_args!("{given}{space}{second}"))?;
    lines.write_line(2, "SURN", surname)
}

fn write_individual_events(
    lines: &mut Lines<'_>,
    context: &Context<'_>,
    person: &Person,
    random: &mut Random,
) -> io::Result<()> {
    let born = person.born;
    // Married people live long enough to raise their last child.
    let age = random.between(if person.spouse_in.is_empty() { 2 } else { 60 }, 90);
    write_event(lines, "BIRT", born, context, person, random)?;
    if random.chance(45) {
        write_event(
            lines,
            if random.chance(70) { "CHR" } else { "BAPM" },
            born + 1,
            context,
            person,
            random,
        )?;
    }
    if age > 30 && random.chance(45) {
        lines.write_line(1, "OCCU", random.pick(OCCUPATIONS))?;
        if random.chance(50) && born + age <= PRESENT {
            lines.write_line(2, "DATE", format_args!("FROM {} TO {}", born + 20, born + age))?;
        }
    }
    if age > 25 && random.chance(50) {
        let year = born + random.between(20, age - 1);
        write_event(lines, if random.chance(60) { "CENS" } else { "RESI" }, year, context, person, random)?;
    }
    if age > 20 && random.chance(5) {
        write_event(lines, "EMIG", born + random.between(18, age - 1), context, person, random)?;
    }
    if random.chance(70) && born + age <= PRESENT {
        write_event(lines, "DEAT", born + age, context, person, random)?;
        if random.chance(30) {
            lines.write_line(2, "AGE", format_args!("{age}y"))?;
        }
        if random.chance(15) {
            lines.write_line(2, "CAUS", random.pick(CAUSES))?;
        }
    }
    Ok(())
}

/// Writes an event or attribute with its date, place and citation, unless it would be in the future.
fn write_event(
    lines: &mut Lines<'_>,
    tag: &str,
    year: u64,
    context: &Context<'_>,
    person: &Person,
    random: &mut Random,
) -> io::Result<()> {
    if year > PRESENT {
        return Ok(());
    }
    lines.write_bare(1, tag)?;
    lines.write_line(2, "DATE", Date::new(random, year))?;
    if random.chance(80) {
        lines.write_line(2, "PLAC", random.pick(person.region.places))?;
    }
    if random.chance(35) {
        write_citation(lines, 2, context, random)?;
    }
    if random.chance(4) {
        let text = make_sentences(context, year, random);
        write_note(lines, 2, &text, random)?;
    }
    Ok(())
}

fn write_citation(
    lines: &mut Lines<'_>,
    level: u32,
    context: &Context<'_>,
    random: &mut Random,
) -> io::Result<()> {
    lines.write_pointer(
        level,
        "SOUR",
        'S',
        random.between(1, context.base.sources + context.clan.sources),
    )?;
    lines.write_line(level + 1, "PAGE", format_args!("p. {}", random.between(1, 400)))?;
    if random.chance(40) {
        lines.write_line(level + 1, "QUAY", random.below(4))?;
    }
    Ok(())
}

/// For about half of all records, writes the date of the last change.
fn write_change_date(lines: &mut Lines<'_>, random: &mut Random) -> io::Result<()> {
    if !random.chance(50) {
        return Ok(());
    }
    let (day, month, year) = (random.between(1, 28), random.pick(MONTHS), random.between(1996, 2025));
    lines.write_bare(1, "CHAN")?;
    lines.write_line(2, "DATE", format_args!("{day} {month} {year}"))?;
    let (hour, minute, second) = (random.below(24), random.below(60), random.below(60));
    lines.write_line(3, "TIME", format_args!("{hour:02}:{minute:02}:{second:02}"))
}

/// Writes the families of a clan.
pub(super) fn write_families(
    lines: &mut Lines<'_>,
    context: &Context<'_>,
    random: &mut Random,
) -> io::Result<()> {
    let Context { clan, base } = context;
    for (number, family) in (base.families + 1..).zip(&clan.families) {
        lines.write_record('F', number, "FAM")?;
        lines.write_pointer(1, "HUSB", 'I', base.people + family.husband as u64 + 1)?;
        lines.write_pointer(1, "WIFE", 'I', base.people + family.wife as u64 + 1)?;
        for &child in &family.children {
            lines.write_pointer(1, "CHIL", 'I', base.people + child as u64 + 1)?;
        }
        if let Some(wife) = clan.people.get(family.wife) {
            write_event(lines, "MARR", family.married, context, wife, random)?;
        }
        let year = family.married + random.between(2, 15);
        if random.chance(4) && year <= PRESENT {
            lines.write_bare(1, "DIV")?;
            lines.write_line(2, "DATE", Date::new(random, year))?;
        }
        write_change_date(lines, random)?;
    }
    Ok(())
}

/// Writes the sources of a clan.
pub(super) fn write_sources(
    lines: &mut Lines<'_>,
    context: &Context<'_>,
    random: &mut Random,
) -> io::Result<()> {
    let Context { clan, base } = context;
    for number in base.sources + 1..=base.sources + clan.sources {
        let person = random.pick_reference(&clan.people);
        let place = person.map(|person| random.pick(person.region.places)).unwrap_or_default();
        let (from, to) = (random.between(1600, 1790), random.between(1791, 1950));
        lines.write_record('S', number, "SOUR")?;
        lines.write_line(1, "TITL", format_args!("{}, {place}, {from}-{to}", random.pick(BOOKS)))?;
        lines.write_line(1, "AUTH", format_args!("Parish of {place}"))?;
        lines.write_line(1, "PUBL", format_args!("Microfilm, {}", random.between(1950, 2005)))?;
        lines.write_pointer(1, "REPO", 'R', random.between(1, base.repositories + clan.repositories))?;
        lines.write_line(
            2,
            "CALN",
            format_args!("{}/{}", random.between(1, 99), random.between(100, 9999)),
        )?;
        if random.chance(30) {
            let text = make_sentences(context, from, random);
            lines.write_text(1, "TEXT", &text, WIDTH)?;
        }
        write_change_date(lines, random)?;
    }
    Ok(())
}

/// Writes the note records of a clan.
pub(super) fn write_notes(
    lines: &mut Lines<'_>,
    context: &Context<'_>,
    random: &mut Random,
) -> io::Result<()> {
    let Context { clan, base } = context;
    for number in base.notes + 1..=base.notes + clan.notes {
        let text = make_sentences(context, clan.people.first().map_or(1700, |person| person.born), random);
        lines.write_text(0, &format!("@N{number}@ NOTE"), &text, WIDTH)?;
        write_change_date(lines, random)?;
    }
    Ok(())
}

/// Writes the archives of a clan.
pub(super) fn write_repositories(
    lines: &mut Lines<'_>,
    context: &Context<'_>,
    random: &mut Random,
) -> io::Result<()> {
    let Context { clan, base } = context;
    for number in base.repositories + 1..=base.repositories + clan.repositories {
        let place = clan.people.first().map(|person| random.pick(person.region.places)).unwrap_or_default();
        lines.write_record('R', number, "REPO")?;
        lines.write_line(1, "NAME", random.pick(ARCHIVES))?;
        lines.write_line(1, "ADDR", format_args!("{} Market Street", random.between(1, 120)))?;
        lines.write_line(2, "CONT", place)?;
    }
    Ok(())
}

fn write_note(lines: &mut Lines<'_>, level: u32, text: &str, random: &mut Random) -> io::Result<()> {
    // Some programs break lines themselves, others leave it to CONC.
    if random.chance(50) {
        lines.write_text(level, "NOTE", &wrap_lines(text, 72), WIDTH)
    } else {
        lines.write_text(level, "NOTE", text, WIDTH)
    }
}

/// Writes a few sentences about somebody of the clan, in one to three paragraphs.
fn make_sentences(context: &Context<'_>, year: u64, random: &mut Random) -> String {
    let mut text = String::new();
    for index in 0..random.between(1, 7) {
        if index > 0 {
            text.push_str(if random.chance(25) { "\n" } else { " " });
        }
        let sentence = random.pick(SENTENCES);
        let person = random.pick_reference(&context.clan.people);
        let mut rest = sentence;
        while let Some((head, tail)) = rest.split_once('%') {
            text.push_str(head);
            let mut letters = tail.chars();
            match (letters.next(), person) {
                (Some('n'), Some(person)) => {
                    text.push_str(person.given);
                    text.push(' ');
                    text.push_str(person.surname);
                }
                (Some('p'), Some(person)) => text.push_str(random.pick(person.region.places)),
                _ => text.push_str(&(year + random.below(60)).to_string()),
            }
            rest = letters.as_str();
        }
        text.push_str(rest);
    }
    text
}

/// Breaks lines at spaces so that none is much longer than `width` bytes.
fn wrap_lines(text: &str, width: usize) -> String {
    let mut wrapped = String::with_capacity(text.len());
    let mut length = 0;
    for word in text.split(' ') {
        if length > 0 && length + word.len() >= width {
            wrapped.push('\n');
            length = 0;
        } else if !wrapped.is_empty() {
            wrapped.push(' ');
        }
        wrapped.push_str(word);
        length += word.len() + 1;
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_text_has_the_same_words() {
        let text = "one two three four five six seven eight nine ten";
        let wrapped = wrap_lines(text, 10);
        assert!(wrapped.lines().all(|line| line.len() <= 11), "{wrapped}");
        assert_eq!(wrapped.replace('\n', " "), text);
    }

    #[test]
    fn a_date_leaves_out_what_it_does_not_know() {
        let whole = Date { qualifier: "", day: 3, month: "MAY", year: 1801 };
        let vague = Date { qualifier: "ABT ", day: 0, month: "", year: 1801 };
        assert_eq!(format!("{whole}, {vague}"), "3 MAY 1801, ABT 1801");
    }
}
