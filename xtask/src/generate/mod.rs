//! `cargo xtask generate`: generates a realistic file of any size. The same numbers always give the same file.
//!
//! The file is GEDCOM 5.5.1 and also ELF, conformant under the rules of December 2019. It contains people, families,
//! sources, notes and archives in that order, with names and places in several languages, notes that need CONT and
//! CONC, and no unresolved pointers. Records are written as they are generated, so a gigabyte needs no memory.
//!
//! The file is a GEDCOM 5.5.1 transmission that is also ELF, conformant under the December 2019 rules:
//! people, families, sources, notes and archives in that order, with names and places of several languages,
//! notes that need CONT and CONC, and pointers that all lead somewhere. It is written as it is made, so that
//! a gigabyte needs no memory.
//!
//! ```
//! use xtask::generate::{Plan, write};
//!
//! let mut file = Vec::new();
//! let written = write(&Plan::new(100_000, 7), &mut file)?;
//! assert!(file.starts_with(b"0 HEAD\n") && file.ends_with(b"0 TRLR\n"));
//! assert!(written.octets >= 100_000);
//! # Ok::<(), std::io::Error>(())
//! ```

mod clan;
pub mod faults;
mod lines;
mod options;
mod random;
mod records;
mod words;

pub use options::run;

use clan::Clan;
use elf_octets::Encoding;
use lines::Lines;
use random::Random;
use records::{Base, Context};
use std::io::{self, Write};

/// The size, seed and form of the file to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// The minimum size in bytes, counted in UTF-8 with one byte for a line break, so that plans which differ only in
    /// encoding give the same characters. The file is less than one clan larger, which is some tens of thousands of
    /// bytes.
    pub octets: u64,
    /// The seed. Each one gives another file.
    pub seed: u64,
    /// The encoding. CHAR must have a name for it.
    pub encoding: Encoding,
    /// The line break after each line: `"\n"`, `"\r"` or `"\r\n"`.
    pub line_break: &'static str,
}

/// The size of the file that was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The number of bytes of the text in UTF-8, including line breaks.
    pub octets: u64,
    /// The number of lines.
    pub lines: u64,
    /// The number of people.
    pub people: u64,
}

impl Plan {
    /// A plan for a UTF-8 file of at least `octets` bytes with LF line breaks.
    pub const fn new(octets: u64, seed: u64) -> Plan {
        Plan { octets, seed, encoding: Encoding::Utf8, line_break: "\n" }
    }

    /// Sets the encoding. Characters that it lacks become Unicode escapes.
    #[must_use]
    pub const fn encoding(self, encoding: Encoding) -> Plan {
        Plan { encoding, ..self }
    }

    /// Sets the line break.
    #[must_use]
    pub const fn line_break(self, line_break: &'static str) -> Plan {
        Plan { line_break, ..self }
    }
}

/// Generates the records of one kind in one clan.
type Records = fn(&mut Lines<'_>, &Context<'_>, &mut Random) -> io::Result<()>;

/// The kinds of records, in the order of the file.
const KINDS: &[Records] = &[
    records::write_people,
    records::write_families,
    records::write_sources,
    records::write_notes,
    records::write_repositories,
];

/// Writes the file that `plan` describes.
///
/// # Errors
///
/// The errors of `out`; [`io::ErrorKind::InvalidInput`] if CHAR has no name for the encoding.
pub fn write(plan: &Plan, out: &mut dyn Write) -> io::Result<Written> {
    let Some(char_name) = plan.encoding.char_name() else {
        let message = format!("CHAR has no name for {}", plan.encoding);
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    };
    let clans = count_clans_needed(plan)?;
    let mut lines = Lines::new(out, plan.encoding, plan.line_break);
    lines.write_mark()?;
    write_header(&mut lines, char_name)?;
    let mut people = 0;
    for kind in 0..KINDS.len() {
        let mut base = Base::default();
        for number in 0..clans {
            let clan = Clan::new(plan.seed, number);
            records(&mut lines, plan.seed, number, kind, &Context { clan: &clan, base })?;
            base = base.after(&clan);
        }
        people = base.people;
    }
    lines.write_bare(0, "TRLR")?;
    Ok(Written { octets: lines.octets, lines: lines.count, people })
}

/// Counts the clans that the size needs, by generating and dropping them.
fn count_clans_needed(plan: &Plan) -> io::Result<u64> {
    let mut nowhere = io::sink();
    let mut lines = Lines::new(&mut nowhere, Encoding::Utf8, "\n");
    let mut base = Base::default();
    for number in 0.. {
        if lines.octets >= plan.octets {
            return Ok(number);
        }
        let clan = Clan::new(plan.seed, number);
        for kind in 0..KINDS.len() {
            records(&mut lines, plan.seed, number, kind, &Context { clan: &clan, base })?;
        }
        base = base.after(&clan);
    }
    Ok(u64::MAX)
}

fn records(
    lines: &mut Lines<'_>,
    seed: u64,
    number: u64,
    kind: usize,
    context: &Context<'_>,
) -> io::Result<()> {
    // Each kind of record of each clan has a random stream of its own, so that it can be generated at any time.
    let mut random = Random::new(!seed, number * KINDS.len() as u64 + kind as u64);
    match KINDS.get(kind) {
        Some(records) => records(lines, context, &mut random),
        None => Ok(()),
    }
}

fn write_header(lines: &mut Lines<'_>, char_name: &str) -> io::Result<()> {
    lines.write_bare(0, "HEAD")?;
    lines.write_line(1, "CHAR", char_name)?;
    lines.write_bare(1, "GEDC")?;
    lines.write_line(2, "VERS", "5.5.1")?;
    lines.write_line(2, "FORM", "LINEAGE-LINKED")?;
    lines.write_line(1, "ELF", "1.0.0")?;
    lines.write_line(1, "SOUR", "ELF_FOR_RUST")?;
    lines.write_line(2, "NAME", "ELF for Rust")?;
    lines.write_line(2, "VERS", env!("CARGO_PKG_VERSION"))?;
    lines.write_line(1, "DATE", "21 NOV 2026")?;
    lines.write_pointer(1, "SUBM", 'U', 1)?;
    lines.write_record('U', 1, "SUBM")?;
    lines.write_line(1, "NAME", "Nobody in particular")?;
    lines.write_line(1, "ADDR", "1 Example Street")?;
    lines.write_line(2, "CONT", "Haworth, Yorkshire")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn file(plan: &Plan) -> String {
        let mut out = Vec::new();
        let written = write(plan, &mut out).unwrap();
        assert_eq!(written.lines, out.iter().filter(|&&octet| octet == b'\n').count() as u64);
        assert_eq!(written.octets, out.len() as u64);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_same_plan_makes_the_same_file_and_another_seed_another() {
        let plan = Plan::new(200_000, 1);
        assert_eq!(file(&plan), file(&plan));
        assert_ne!(file(&plan), file(&Plan::new(200_000, 2)));
    }

    #[test]
    fn encodings_make_files_of_the_same_characters() {
        let plan = Plan::new(50_000, 1).encoding(Encoding::Utf16Le);
        let mut out = Vec::new();
        let written = write(&plan, &mut out).unwrap();
        let units: Vec<u16> =
            out.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        let text = String::from_utf16(&units).unwrap().replace("UNICODE", "UTF-8");
        assert_eq!(text.strip_prefix('\u{FEFF}').unwrap(), file(&Plan::new(50_000, 1)));
        assert_eq!(written.lines, text.lines().count() as u64);
        let unnamed = write(&plan.encoding(Encoding::Cp437), &mut out);
        assert!(unnamed.is_err_and(|error| error.kind() == io::ErrorKind::InvalidInput));
    }

    #[test]
    fn the_size_is_met_and_hardly_passed() {
        for octets in [0, 1_000_000] {
            let length = file(&Plan::new(octets, 3)).len() as u64;
            assert!((octets..octets + 100_000).contains(&length), "{length} for {octets}");
        }
    }

    #[test]
    fn lines_are_as_long_as_in_real_files() {
        let file = file(&Plan::new(1_000_000, 5));
        let average = file.len() / file.lines().count();
        assert!((20..=25).contains(&average), "{average} octets a line");
        assert!(
            file.lines().all(|line| line.len() < 255 - "1000000".len()),
            "identifiers grow with the file"
        );
        assert!(
            file.lines().any(|line| line.contains(" CONC "))
                && file.lines().any(|line| line.contains(" CONT "))
        );
        assert!(!file.is_ascii());
    }

    #[test]
    fn every_identifier_stands_once_and_every_pointer_leads_to_one() {
        let file = file(&Plan::new(300_000, 11));
        let mut identifiers = HashSet::new();
        let mut pointers = Vec::new();
        for line in file.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match words.as_slice() {
                ["0", xref, ..] if xref.starts_with('@') => {
                    assert!(identifiers.insert(*xref), "{xref} twice")
                }
                [_, _, pointer] if pointer.starts_with('@') && pointer.ends_with('@') => {
                    pointers.push(*pointer)
                }
                _ => {}
            }
        }
        assert!(pointers.len() > 1000 && identifiers.len() > 500);
        for pointer in pointers {
            assert!(identifiers.contains(pointer), "{pointer} leads nowhere");
        }
    }

    #[test]
    fn all_stands_where_it_may() {
        use elf_lineage::elf_schema::{Diagnostic, ReadOptions, Rules, read};
        use elf_validate::{Against, Standard, validate};

        let file = file(&Plan::new(1_000_000, 5));
        let typed = read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ()).unwrap();
        for standard in [Standard::DataModel, Standard::Gedcom551] {
            let mut found: Vec<Diagnostic> = Vec::new();
            validate(&typed, Against { standard, is_named: true }, &mut found);
            assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), [""; 0], "{standard}");
        }
    }

    #[test]
    fn nothing_in_it_can_be_asked_about() {
        use elf_lineage::elf_schema::{Diagnostic, ReadOptions, Rules, codes, read};

        let file = file(&Plan::new(1_000_000, 5));
        let typed = read(file.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ()).unwrap();
        let lineage = elf_lineage::Lineage::of(&typed);
        let options = elf_lineage::QuestionOptions::on_date(2026, 11, 22).unwrap().with_unlikely(true);
        let mut found: Vec<Diagnostic> = Vec::new();
        lineage.questions(&options, &mut found);
        assert!(lineage.person_count() > 1_000 && lineage.event_count() > 5_000);
        // Many of these people lived long ago, and the file does not record when they died.
        found.retain(|question| question.code != codes::DEATH_NOT_RECORDED);
        assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), [""; 0]);
    }
}
