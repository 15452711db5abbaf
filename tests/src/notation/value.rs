//! The notation of `req-dates.tsv`: a payload, and facts about its value.
//!
//! A fact is a key, an equals sign and a word, or text in quotation marks: `calendar=JULIAN wf=no`. What else
//! is in a cell is for people. In the payload `\t`, `\n` and `\u00a0` stand for characters.

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

/// A payload of a datatype, and facts about its value.
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
    /// Reads a row of the table. The section determines the datatype.
    pub fn parse_row(section: &str, payload: &str, expected: &str) -> ValueCheck {
        let datatype = match section {
            "§time" => Datatype::Time,
            "§age" => Datatype::Age,
            "§DateExact" => Datatype::DateExact,
            _ if expected.contains("for elf:DatePeriod") => Datatype::DatePeriod,
            _ => Datatype::DateValue,
        };
        ValueCheck::new(datatype, payload, expected)
    }

    /// Parses a payload and facts about it, without commentary.
    ///
    /// # Errors
    ///
    /// Something that is not a fact, or two facts that exclude each other.
    pub fn parse_strict(datatype: Datatype, payload: &str, facts: &str) -> Result<ValueCheck, String> {
        let check = ValueCheck::new(datatype, payload, facts);
        let (mut rest, mut count) = (facts.trim(), 0);
        while !rest.is_empty() {
            let (key, value) =
                rest.split_once('=').ok_or_else(|| format!("expected a fact, but found {rest:?}"))?;
            if !KEYS.contains(&key) {
                return Err(format!("there is no fact {key:?}"));
            }
            let end = value_end(value).ok_or_else(|| format!("the quotation mark in {value:?} is alone"))?;
            let behind = value.get(end..).unwrap_or_default();
            if !behind.is_empty() && !behind.starts_with(' ') {
                return Err(format!("expected a blank behind a fact, but found {behind:?}"));
            }
            rest = behind.trim_start();
            count += 1;
        }
        match check.facts.len() == count {
            true => Ok(check),
            false => Err(format!("not all the facts of {facts:?} can be told of one payload")),
        }
    }

    /// Reads a payload and the facts about it.
    pub fn new(datatype: Datatype, payload: &str, expected: &str) -> ValueCheck {
        let payload = payload.replace("\\t", "\t").replace("\\n", "\n").replace("\\u00a0", "\u{a0}");
        let facts = KEYS.into_iter().filter_map(|key| Some((key, find_fact(expected, key)?.to_owned())));
        let mut facts: Vec<_> = facts.collect();
        if facts.contains(&("lexical", "no".to_owned())) {
            // For an invalid value, a row may show how the grammar could be read otherwise.
            facts.retain(|(key, _)| matches!(*key, "lexical" | "recovered"));
        }
        ValueCheck { datatype, payload, facts }
    }
}

/// The length of the value at the start of a text, with its quotation marks. `None` if a quotation mark is not closed.
fn value_end(text: &str) -> Option<usize> {
    // Only the name of a calendar may contain a space.
    const FRENCH: &str = "FRENCH R";
    if let Some(quoted) = text.strip_prefix('"') {
        return Some(quoted.find('"')? + 2);
    }
    Some(match text.starts_with(FRENCH) {
        true => FRENCH.len(),
        false => text.find([' ', ';', ',', ')']).unwrap_or(text.len()),
    })
}

/// The value after `key` in a cell of facts.
fn find_fact<'t>(expected: &'t str, key: &str) -> Option<&'t str> {
    let behind = |at: usize| expected.get(at + key.len()..)?.strip_prefix('=');
    let (_, rest) = expected
        .match_indices(key)
        .filter(|(at, _)| {
            expected.get(..*at).is_some_and(|before| before.is_empty() || before.ends_with([' ', '(', ';']))
        })
        .find_map(|(at, _)| Some((at, behind(at)?)))?;
    rest.get(..value_end(rest)?).map(|value| value.trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_fact_is_refused() {
        let strict =
            |facts| ValueCheck::parse_strict(Datatype::DateValue, "1900", facts).map(|it| it.facts.len());
        assert_eq!(strict("calendar=FRENCH R wf=no canonical=\"a b\""), Ok(3));
        assert_eq!(strict("  "), Ok(0));
        for wrong in
            ["wf", "wff=no", "wf=no words", "wf=no; day=1", "wf=no wf=no", "lexical=no wf=no", "phrase=\"x"]
        {
            assert!(strict(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn facts_are_found_among_words() {
        let check = ValueCheck::parse_row(
            "§Years",
            "a\\tb",
            "lexical=yes; calendar=FRENCH R, phrase=\"x y\" (wf=no) days",
        );
        assert_eq!(check.payload, "a\tb");
        let facts: Vec<_> = check.facts.iter().map(|(key, value)| (*key, value.as_str())).collect();
        assert_eq!(facts, [("lexical", "yes"), ("calendar", "FRENCH R"), ("wf", "no"), ("phrase", "x y")]);
    }
}
