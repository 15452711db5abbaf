//! `elf explain`: the manual page of a diagnostic code, or the list of all.

use crate::args::{Explain, Format};
use crate::commands::print_to;
use crate::console::Console;
use crate::exit::Exit;
use elf_base::{Code, codes};
use elf_report::code;

pub(crate) fn run(args: &Explain, console: &mut Console) -> Exit {
    let Some(name) = &args.code else { return list(args, console) };
    let Some(found) = Code::from_name(&name.to_ascii_lowercase()) else {
        console.failure(&unknown(name));
        return Exit::Failed;
    };
    print_to(&args.printing, console, |out, _| {
        match args.printing.format {
            Format::Human => code::page(out, found)?,
            Format::Json => code::json(out, found)?,
        }
        Ok(Exit::Clean)
    })
}

/// Prints all codes.
fn list(args: &Explain, console: &mut Console) -> Exit {
    print_to(&args.printing, console, |out, _| {
        match args.printing.format {
            Format::Human => code::table(out)?,
            Format::Json => codes::all().try_for_each(|one| code::json(out, one))?,
        }
        Ok(Exit::Clean)
    })
}

/// Returns the message that there is no such code, and which ones may be meant.
fn unknown(text: &str) -> String {
    let near = nearest(&text.to_ascii_lowercase());
    let mut message = format!("there is no diagnostic code `{text}`");
    for (index, code) in near.iter().enumerate() {
        message.push_str(if index == 0 { "; did you mean " } else { " or " });
        message.push_str(&format!("{} {}", code.id(), code.name()));
    }
    message.push_str(if near.is_empty() { "; `elf explain` lists all" } else { "?" });
    message
}

/// Finds up to three codes whose identifier or name is like `text`, in lower case: the likest first.
fn nearest(text: &str) -> Vec<Code> {
    const MOST: usize = 3;
    // Longer than any name: nothing is like it, and the comparison is not worth its time.
    if text.len() > 100 {
        return Vec::new();
    }
    let mut near: Vec<(usize, Code)> = codes::all()
        .filter_map(|code| {
            let name = code.name();
            let is_part =
                text.len() > 2 && (name.starts_with(text) || name.split('-').any(|word| word == text));
            let by_name = if is_part { 1 } else { distance(text, name) };
            let least = by_name.min(distance(text, &code.id().to_ascii_lowercase()));
            let allowed = text.chars().count() / 3;
            (least <= allowed.max(1)).then_some((least, code))
        })
        .collect();
    near.sort_by_key(|&(distance, _)| distance);
    near.into_iter().take(MOST).map(|(_, code)| code).collect()
}

/// Counts the characters that must be inserted, removed or replaced to make `one` of `other` (Levenshtein's
/// distance).
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    // Row by row of the table of distances between the beginnings of both.
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, char) in one.chars().enumerate() {
        let mut next = Vec::with_capacity(row.len());
        let mut left = index + 1;
        next.push(left);
        for (pair, &found) in row.windows(2).zip(&other) {
            let &[diagonal, above] = pair else { continue };
            left = (left + 1).min(above + 1).min(diagonal + usize::from(found != char));
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_levenshtein() {
        for (one, other, expected) in
            [("", "", 0), ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3), ("level", "levle", 2)]
        {
            assert_eq!(distance(one, other), expected, "{one} {other}");
        }
    }

    #[test]
    fn what_is_nearly_a_code_is_suggested() {
        let ids = |text: &str| nearest(text).into_iter().map(Code::id).collect::<Vec<_>>();
        assert_eq!(ids("level-to-deep").first(), Some(&"E0203"));
        assert!(ids("e02O3").contains(&"E0203"));
        assert_eq!(ids("level-too"), ["E0203"]);
        assert!(ids("zeros").contains(&"E0202"));
        assert!(ids("xyzzyxyzzyxyzzy").is_empty());
    }
}
