//! `elf explain`: prints the manual page of a diagnostic code, or all codes.

use crate::args::{Explain, Format};
use crate::commands::print_to;
use crate::console::Console;
use crate::exit::Exit;
use elf_base::{Code, codes};
use elf_report::tag::{self, StandardTag};
use elf_report::{code, vendor};
use elf_schema::vendors::{self, VendorTag};
use std::io::Write;
use strsim::levenshtein;

pub(crate) fn run(args: &Explain, console: &mut Console) -> Exit {
    let Some(name) = &args.code else { return print_codes(args, console) };
    let Some(found) = Code::from_name(&name.to_ascii_lowercase()) else {
        let tag = name.to_ascii_uppercase();
        let (standard, entries) = (StandardTag::list(&tag), vendors::tags_named(&tag).collect::<Vec<_>>());
        if standard.is_empty() && entries.is_empty() {
            console.print_error(&unknown_code_message(name));
            return Exit::Failed;
        }
        return print_tag(args, &standard, &entries, console);
    };
    print_to(&args.printing, console, |out, _| {
        match args.printing.format {
            Format::Human => code::write_page(out, found)?,
            Format::Json => code::write_json(out, found)?,
        }
        Ok(Exit::Clean)
    })
}

/// Prints what a tag means in a standard, and what programs mean by it elsewhere.
fn print_tag(args: &Explain, standard: &[StandardTag], entries: &[VendorTag], console: &mut Console) -> Exit {
    print_to(&args.printing, console, |out, _| {
        match args.printing.format {
            Format::Json => {
                tag::write_json(out, standard)?;
                vendor::write_json(out, entries)?;
            }
            Format::Human => {
                tag::write_page(out, standard)?;
                if let Some(first) = entries.first() {
                    if !standard.is_empty() {
                        writeln!(out)?;
                    }
                    vendor::write_page(out, first.tag(), standard, entries)?;
                }
            }
        }
        Ok(Exit::Clean)
    })
}

fn print_codes(args: &Explain, console: &mut Console) -> Exit {
    print_to(&args.printing, console, |out, _| {
        match args.printing.format {
            Format::Human => code::write_table(out)?,
            Format::Json => codes::all().try_for_each(|one| code::write_json(out, one))?,
        }
        Ok(Exit::Clean)
    })
}

/// The message that `text` is not a code, with similar codes.
fn unknown_code_message(text: &str) -> String {
    let near = similar_codes(&text.to_ascii_lowercase());
    let what = if near.is_empty() { "diagnostic code and no tag" } else { "diagnostic code" };
    let mut message = format!("there is no {what} `{text}`");
    for (index, code) in near.iter().enumerate() {
        message.push_str(if index == 0 { "; did you mean " } else { " or " });
        message.push_str(&format!("{} {}", code.id(), code.name()));
    }
    message.push_str(if near.is_empty() { "; `elf explain` lists all codes" } else { "?" });
    message
}

/// Finds up to three codes whose identifier or name is similar to `text`, the most similar first. `text` is in lower
/// case.
fn similar_codes(text: &str) -> Vec<Code> {
    const MOST: usize = 3;
    // No code has such a long name, and the comparison would be slow.
    if text.len() > 100 {
        return Vec::new();
    }
    let mut near: Vec<(usize, Code)> = codes::all()
        .filter_map(|code| {
            let name = code.name();
            let is_part =
                text.len() > 2 && (name.starts_with(text) || name.split('-').any(|word| word == text));
            let by_name = if is_part { 1 } else { levenshtein(text, name) };
            let least = by_name.min(levenshtein(text, &code.id().to_ascii_lowercase()));
            let allowed = text.chars().count() / 3;
            (least <= allowed.max(1)).then_some((least, code))
        })
        .collect();
    near.sort_by_key(|&(distance, _)| distance);
    near.into_iter().take(MOST).map(|(_, code)| code).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nearly_a_code_is_suggested() {
        let ids = |text: &str| similar_codes(text).into_iter().map(Code::id).collect::<Vec<_>>();
        assert_eq!(ids("level-to-deep").first(), Some(&"E0203"));
        assert!(ids("e02O3").contains(&"E0203"));
        assert_eq!(ids("level-too"), ["E0203"]);
        assert!(ids("zeros").contains(&"E0202"));
        assert!(ids("xyzzyxyzzyxyzzy").is_empty());
    }
}
