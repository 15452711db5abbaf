//! Prints the manual page of a code, and the list of all codes.

use crate::json::write_line;
use elf_base::{Against, Class, Code, Format, Rules, Safety, Standard, codes};
use serde::Serialize;
use std::io::{self, Write};

/// Prints a row for each code: identifier, fix mark, name, class under the default rules, and
/// title.
///
/// # Errors
///
/// If writing to `out` fails.
pub fn write_table(out: &mut impl Write) -> io::Result<()> {
    let width = codes::all().map(|code| code.name().len()).max().unwrap_or_default();
    for code in codes::all() {
        let mark = match code.fix() {
            Some(Safety::Safe) => "*",
            Some(Safety::Unsafe) => "?",
            None => " ",
        };
        let class = code.class(Rules::WILD.format).name();
        writeln!(out, "{} {mark} {:<width$}  {class:<14}  {}", code.id(), code.name(), code.title())?;
    }
    writeln!(out, "\n* fixed by `elf check --fix`, ? by `--unsafe-fixes`; classes are those of `wild`.")?;
    writeln!(out, "`elf explain CODE` prints the manual page of a code.")
}

/// Prints the manual page of a code, with its class and clause under each set of rules.
///
/// # Errors
///
/// If writing to `out` fails.
pub fn write_page(out: &mut impl Write, code: Code) -> io::Result<()> {
    writeln!(out, "{}\n", code.page().trim_end())?;
    write_classes_by_rules(out, code)?;
    let standards = Standard::ALL.into_iter().filter_map(|of| Some((of, code.clause_against(of)?)));
    let mut standards = standards.peekable();
    if standards.peek().is_some() {
        writeln!(out, "\nClass and clause if `--against` names the standard (otherwise all is advice):\n")?;
    }
    for (standard, clause) in standards {
        let class = code.class_against(Against { standard, is_named: true });
        writeln!(out, "- {}: {class} ({clause})", standard.name())?;
    }
    match code.fix() {
        Some(Safety::Safe) => {
            writeln!(out, "\nFixed by: elf check --fix, if nothing else changes")
        }
        Some(Safety::Unsafe) => {
            writeln!(out, "\nFixed by: elf check --unsafe-fixes, which guesses the meaning")
        }
        None => Ok(()),
    }
}

/// Prints the class and clause under each set of rules, or only the class if no draft has a clause.
fn write_classes_by_rules(out: &mut impl Write, code: Code) -> io::Result<()> {
    if Rules::PRESETS.iter().all(|rules| code.clause(rules.format).is_none()) {
        return writeln!(
            out,
            "No draft has a clause for it; under all rules its class is {}.",
            code.class(Rules::WILD.format)
        );
    }
    writeln!(out, "Class and clause by rules:\n")?;
    for rules in Rules::PRESETS {
        let class = code.class(rules.format);
        let consequence = match class {
            Class::Malformed if rules.terminates() => ", reading stops",
            Class::Malformed => ", reading continues",
            Class::Question | Class::Advice | Class::Deprecated | Class::NonConformant => "",
        };
        match code.clause(rules.format) {
            _ if code.is_of_recovery() && is_of_draft(rules) => {
                writeln!(out, "- {}: not reported", rules.name)?
            }
            Some(clause) => writeln!(out, "- {}: {class} ({clause}){consequence}", rules.name)?,
            None => writeln!(out, "- {}: no clause", rules.name)?,
        }
    }
    Ok(())
}

/// Returns whether rules are those of a draft.
fn is_of_draft(rules: &Rules) -> bool {
    matches!(rules.format, Format::Elf(_)) && *rules != Rules::WILD
}

/// A row of the table of codes.
#[derive(Serialize)]
struct CodeRow {
    code: &'static str,
    name: &'static str,
    title: &'static str,
    /// The class under the default rules.
    class: &'static str,
    /// The safety of the fix, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<&'static str>,
    /// The clause of the newest draft that has one, or else of GEDCOM.
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<&'static str>,
    classes: Vec<ClassIn>,
    page: &'static str,
}

/// The class and the clause in one draft, or in GEDCOM.
#[derive(Serialize)]
struct ClassIn {
    draft: &'static str,
    class: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<&'static str>,
}

impl CodeRow {
    fn new(code: Code) -> CodeRow {
        let classes: Vec<ClassIn> = Format::ALL
            .into_iter()
            .map(|format| ClassIn {
                draft: format.name(),
                class: code.class(format).name(),
                clause: code.clause(format),
            })
            .collect();
        let clause = classes.iter().find_map(|draft| draft.clause);
        let fix = code.fix().map(|safety| match safety {
            Safety::Safe => "safe",
            Safety::Unsafe => "unsafe",
        });
        CodeRow {
            code: code.id(),
            name: code.name(),
            title: code.title(),
            class: code.class(Rules::WILD.format).name(),
            fix,
            clause,
            classes,
            page: code.page(),
        }
    }
}

/// Prints a code as one JSON object on a line.
///
/// # Errors
///
/// If writing to `out` fails.
pub fn write_json(out: &mut impl Write, code: Code) -> io::Result<()> {
    write_line(out, &CodeRow::new(code))
}
