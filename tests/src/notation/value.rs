//! The notation of `req-dates.tsv`: a payload, and facts about its value.
//!
//! A fact is a key, an equals sign and a word, or text in quotation marks: `calendar=JULIAN wf=no`. What else
//! stands in a cell is for people. In the payload `\t`, `\n` and `\u00a0` stand for characters.

use elf_values::Datatype;

/// The keys of facts. `hist` and `logical` are the two years of the first date, `wf` says if its calendar has
/// it, `days` are the Julian day numbers of the value.
pub const KEYS: [&str; 15] = [
    "lexical",
    "calendar",
    "wf",
    "form",
    "phrase",
    "hist",
    "logical",
    "second",
    "day",
    "days",
    "reversed",
    "equals",
    "gregorian",
    "canonical",
    "recovered",
];

/// A payload of a datatype, and what is said of its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueCheck {
    /// The datatype.
    pub datatype: Datatype,
    /// The payload.
    pub payload: String,
    /// Keys and values.
    pub facts: Vec<(&'static str, String)>,
}

impl ValueCheck {
    /// Reads a row of the table by its section: the datatype follows from that.
    pub fn of_row(section: &str, payload: &str, expected: &str) -> ValueCheck {
        let datatype = match section {
            "§time" => Datatype::Time,
            "§age" => Datatype::Age,
            "§DateExact" => Datatype::DateExact,
            _ if expected.contains("for elf:DatePeriod") => Datatype::DatePeriod,
            _ => Datatype::DateValue,
        };
        ValueCheck::new(datatype, payload, expected)
    }

    /// Reads a payload and the facts about it.
    pub fn new(datatype: Datatype, payload: &str, expected: &str) -> ValueCheck {
        let payload = payload.replace("\\t", "\t").replace("\\n", "\n").replace("\\u00a0", "\u{a0}");
        let facts = KEYS.into_iter().filter_map(|key| Some((key, fact(expected, key)?.to_owned())));
        let mut facts: Vec<_> = facts.collect();
        if facts.contains(&("lexical", "no".to_owned())) {
            // Of what is no value a row may say how else the grammar could be read.
            facts.retain(|(key, _)| matches!(*key, "lexical" | "recovered"));
        }
        ValueCheck { datatype, payload, facts }
    }
}

/// The value behind `key` in a cell of facts.
fn fact<'t>(expected: &'t str, key: &str) -> Option<&'t str> {
    let behind = |at: usize| expected.get(at + key.len()..)?.strip_prefix('=');
    let (_, rest) = expected
        .match_indices(key)
        .filter(|(at, _)| {
            expected.get(..*at).is_some_and(|before| before.is_empty() || before.ends_with([' ', '(', ';']))
        })
        .find_map(|(at, _)| Some((at, behind(at)?)))?;
    if let Some(quoted) = rest.strip_prefix('"') {
        return quoted.split('"').next();
    }
    // The name of a calendar may hold a blank; nothing else does.
    const FRENCH: &str = "FRENCH R";
    let end = match rest.starts_with(FRENCH) {
        true => FRENCH.len(),
        false => rest.find([' ', ';', ',', ')']).unwrap_or(rest.len()),
    };
    rest.get(..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_found_among_words() {
        let check = ValueCheck::of_row(
            "§Years",
            "a\\tb",
            "lexical=yes; calendar=FRENCH R, phrase=\"x y\" (wf=no) days",
        );
        assert_eq!(check.payload, "a\tb");
        let facts: Vec<_> = check.facts.iter().map(|(key, value)| (*key, value.as_str())).collect();
        assert_eq!(facts, [("lexical", "yes"), ("calendar", "FRENCH R"), ("wf", "no"), ("phrase", "x y")]);
    }
}
