//! `cargo xtask generate --faults`: generates files with a fault in nearly every line. The same numbers always give the
//! same file.
//!
//! ```
//! use xtask::generate::faults::{Fault, FaultPlan, write};
//!
//! let plan = FaultPlan::new(&[Fault::Level]).lines(2);
//! let mut file = Vec::new();
//! write(&plan, &mut file)?;
//! let file = String::from_utf8_lossy(&file);
//! assert!(file.ends_with("0 @I1@ INDI\n5 NOTE some text or other 1\n5 NOTE some text or other 2\n0 TRLR\n"));
//! # Ok::<(), std::io::Error>(())
//! ```

use super::Written;
use super::random::Random;
use std::fmt::Write as _;
use std::io::{self, Write};

/// The number of bytes that are written at once.
const AT_ONCE: usize = 1 << 16;

/// A fault of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// A level that is too deep.
    Level,
    /// A line without a level, which is read as part of the previous payload.
    Stray,
    /// A line with a single letter, which is read as part of the previous payload.
    Short,
    /// A tag with an invalid character.
    Tag,
    /// A level with leading zeros.
    Zeros,
    /// An at sign that is not doubled.
    AtSign,
    /// A blank line.
    Blank,
    /// A tag that no schema defines. There are many different ones.
    Undefined,
    /// An unresolved pointer. Each names another identifier.
    Dangling,
    /// A record with an identifier that another record has.
    Repeated,
    /// A record with an identifier that another record has, and a pointer to it.
    Ambiguous,
    /// A date that does not exist.
    Impossible,
    /// An invalid date.
    Date,
    /// An invalid age that could be fixed.
    Age,
    /// A line of over 255 bytes, with an at sign that is not doubled.
    Long,
}

impl Fault {
    /// All faults, with their names on the command line.
    pub const ALL: &'static [(&'static str, Fault)] = &[
        ("level", Fault::Level),
        ("stray", Fault::Stray),
        ("short", Fault::Short),
        ("tag", Fault::Tag),
        ("zeros", Fault::Zeros),
        ("at-sign", Fault::AtSign),
        ("blank", Fault::Blank),
        ("undefined", Fault::Undefined),
        ("dangling", Fault::Dangling),
        ("repeated", Fault::Repeated),
        ("ambiguous", Fault::Ambiguous),
        ("impossible", Fault::Impossible),
        ("date", Fault::Date),
        ("age", Fault::Age),
        ("long", Fault::Long),
    ];

    /// Returns the fault with a name.
    pub fn from_name(name: &str) -> Option<Fault> {
        Fault::ALL.iter().find(|(known, _)| *known == name).map(|(_, fault)| *fault)
    }

    /// Writes the faulty lines with this number, from 1.
    fn write_lines(self, text: &mut String, number: u64) {
        // Writing to memory does not fail.
        let _ = match self {
            Fault::Level => writeln!(text, "5 NOTE some text or other {number}"),
            Fault::Stray => writeln!(text, "and so on {number}"),
            Fault::Short => writeln!(text, "x"),
            Fault::Tag => writeln!(text, "1 N-TE some text or other {number}"),
            Fault::Zeros => writeln!(text, "01 NOTE some text or other {number}"),
            Fault::AtSign => writeln!(text, "1 NOTE a@b {number}"),
            Fault::Blank => writeln!(text, "1 SEX U\n"),
            Fault::Undefined => writeln!(text, "1 W{} some text or other", number % 5000),
            Fault::Dangling => writeln!(text, "1 FAMS @F{number}@"),
            Fault::Repeated => writeln!(text, "0 @N{}@ NOTE some text or other {number}", number / 2),
            Fault::Ambiguous => {
                writeln!(text, "0 @N{0}@ NOTE some text or other {number}\n1 SOUR @N{0}@", number / 2)
            }
            Fault::Impossible => writeln!(text, "1 BIRT\n2 DATE 31 FEB {}", 1000 + number % 1000),
            Fault::Date => writeln!(text, "1 BIRT\n2 DATE on the day of the fair {number}"),
            Fault::Age => writeln!(text, "1 DEAT\n2 AGE {} Y", number % 100),
            Fault::Long => writeln!(text, "1 NOTE ada@example.org {number} {}", "and so on ".repeat(25)),
        };
    }
}

/// The size, seed and faults of the file to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FaultPlan {
    /// The faults. Each line has one of them, drawn at random.
    pub faults: Vec<Fault>,
    /// The minimum size in bytes. The file is hardly larger.
    pub octets: u64,
    /// The minimum number of faults.
    pub lines: u64,
    /// The seed. With several faults, each seed gives another file.
    pub seed: u64,
    /// The number of faults in one record. `None` puts all into one record.
    pub in_record: Option<u64>,
}

impl FaultPlan {
    /// A plan with these faults, twenty in a record, for a file without a minimum size.
    pub fn new(faults: &[Fault]) -> FaultPlan {
        FaultPlan { faults: faults.to_vec(), octets: 0, lines: 0, seed: 1, in_record: Some(20) }
    }

    /// Sets the minimum size in bytes.
    #[must_use]
    pub fn octets(self, octets: u64) -> FaultPlan {
        FaultPlan { octets, ..self }
    }

    /// Sets the minimum number of faults.
    #[must_use]
    pub fn lines(self, lines: u64) -> FaultPlan {
        FaultPlan { lines, ..self }
    }

    /// Sets the seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> FaultPlan {
        FaultPlan { seed, ..self }
    }

    /// Sets the number of faults in one record. `None` puts all into one record.
    #[must_use]
    pub fn in_record(self, in_record: Option<u64>) -> FaultPlan {
        FaultPlan { in_record, ..self }
    }
}

/// Writes the file that `plan` describes.
///
/// # Errors
///
/// The errors of `out`.
pub fn write(plan: &FaultPlan, out: &mut dyn Write) -> io::Result<Written> {
    let mut text = String::from("0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n");
    let mut random = Random::new(plan.seed, 0);
    let mut written = Written::default();
    for number in 1.. {
        if number > plan.lines && written.octets + text.len() as u64 >= plan.octets {
            break;
        }
        if plan.in_record.map_or(number == 1, |lines| (number - 1) % lines.max(1) == 0) {
            let record = plan.in_record.map_or(1, |lines| (number - 1) / lines.max(1) + 1);
            let _ = writeln!(text, "0 @I{record}@ INDI");
            written.people += 1;
        }
        if let Some(fault) = random.pick_reference(&plan.faults) {
            fault.write_lines(&mut text, number);
        }
        if text.len() >= AT_ONCE {
            write_out(&mut text, out, &mut written)?;
        }
    }
    text.push_str("0 TRLR\n");
    write_out(&mut text, out, &mut written)?;
    Ok(written)
}

fn write_out(text: &mut String, out: &mut dyn Write, written: &mut Written) -> io::Result<()> {
    out.write_all(text.as_bytes())?;
    written.octets += text.len() as u64;
    written.lines += text.bytes().filter(|octet| *octet == b'\n').count() as u64;
    text.clear();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(plan: &FaultPlan) -> String {
        let mut out = Vec::new();
        let written = write(plan, &mut out).unwrap();
        assert_eq!(written.octets, out.len() as u64);
        String::from_utf8(out).unwrap()
    }

    fn all() -> Vec<Fault> {
        Fault::ALL.iter().map(|(_, fault)| *fault).collect()
    }

    #[test]
    fn the_same_plan_makes_the_same_file_and_another_seed_another() {
        let plan = FaultPlan::new(&all()).octets(100_000);
        assert_eq!(file(&plan), file(&plan));
        assert_ne!(file(&plan), file(&plan.clone().seed(2)));
        assert!((100_000..101_000).contains(&file(&plan).len()));
    }

    #[test]
    fn faults_are_as_many_as_asked_for() {
        for fault in all() {
            let plan = FaultPlan::new(&[fault]).lines(1000);
            let (few, none) = (file(&plan), file(&plan.clone().lines(0)));
            let records = few.lines().filter(|line| line.starts_with("0 @I")).count();
            assert_eq!(records, 50, "{fault:?}");
            assert!(few.lines().count() >= none.lines().count() + records + 1000, "{fault:?}");
            let one = file(&plan.in_record(None));
            assert_eq!(one.lines().filter(|line| line.starts_with("0 @I")).count(), 1, "{fault:?}");
        }
    }
}
