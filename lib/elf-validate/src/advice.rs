//! Checks recommendations of GEDCOM that go beyond its grammar: structures with too little content,
//! and values that contradict each other. Most violations are reported as advice.

use crate::findings::Findings;
use crate::payloads::shorten;
use crate::table::{Advice, Kind};
use elf_base::codes;
use elf_schema::{Node, Payload};
use elf_values::{PersonalName, items};
use std::borrow::Cow;

/// The maximum number of lines of an address: the first line, and three lines that continue it.
const ADDRESS_LINES: usize = 4;

/// Checks the recommendations about a complete structure. `has` returns whether a slot of its kind is filled.
pub(crate) fn check_advice<'d>(
    node: Node<'d>,
    kind: &Kind,
    has: impl Fn(u8) -> bool,
    findings: &mut Findings<'_, 'd>,
) {
    match kind.advice {
        Some(Advice::Address) => check_address(node, findings),
        Some(Advice::Named(place)) if !has(place) => {
            let message = "expected a `TYPE` that names the event, but found none";
            let help = "programs show the `TYPE` of an `EVEN`; without it, they cannot say what happened";
            findings.report_with_help(codes::STRUCTURE_INCOMPLETE, node, message.to_owned(), help);
        }
        Some(Advice::Pieces(places)) if places.into_iter().any(&has) => check_name_pieces(node, findings),
        Some(Advice::Hierarchy(place)) if has(place) => check_place_hierarchy(node, findings),
        Some(Advice::Either(places)) if !places.into_iter().any(&has) => {
            let message =
                format!("expected `LANG` or `MIME` in `{}`, but found neither", shorten(node.tag()));
            findings.report(codes::STRUCTURE_MISSING, node, message);
        }
        Some(Advice::Citation) => check_citation(node, findings),
        Some(Advice::Typed(place)) if !has(place) => {
            let message = "expected a `TYPE` that names the source of the identifier, but found none";
            let help = "programs cannot tell where the identifier comes from; GEDCOM 7.0 deprecates `EXID` without `TYPE`";
            findings.report_with_help(codes::IDENTIFIER_UNTYPED, node, message.to_owned(), help);
        }
        Some(Advice::Happened(places)) if !places.into_iter().any(&has) => check_event(node, findings),
        _ => {}
    }
}

fn payload_text<'d>(node: Node<'d>) -> Cow<'d, str> {
    match node.payload() {
        Payload::Text(text) => text,
        Payload::None | Payload::Pointer(_) => Cow::Borrowed(""),
    }
}

/// Reports a structure that has neither a payload nor substructures, which GEDCOM 7.0 forbids.
#[cold]
pub(crate) fn check_not_empty<'d>(node: Node<'d>, findings: &mut Findings<'_, 'd>) {
    let is_pointer = node.flags().is_pointer();
    if !is_pointer && node.substructures().next().is_none() && payload_text(node).is_empty() {
        let message = "expected a payload or a substructure, but found neither".to_owned();
        let help = "programs may leave out an empty structure";
        findings.report_with_help(codes::STRUCTURE_INCOMPLETE, node, message, help);
    }
}

/// Substructures that only a source citation with a pointer may have.
const PARTS_OF_POINTER: [&str; 3] = ["PAGE", "EVEN", "DATA"];

/// The substructure that only a source citation with a text may have.
const PART_OF_TEXT: &str = "TEXT";

/// Reports substructures of a source citation that belong to its other form.
fn check_citation<'d>(node: Node<'d>, findings: &mut Findings<'_, 'd>) {
    let form = match node.payload() {
        Payload::Pointer(_) => "a pointer",
        Payload::Text(text) if !text.is_empty() => "a text",
        Payload::Text(_) | Payload::None => return,
    };
    let is_pointer = node.flags().is_pointer();
    for part in node.substructures() {
        let is_of_text = part.tag() == PART_OF_TEXT;
        if is_pointer && is_of_text || !is_pointer && PARTS_OF_POINTER.contains(&part.tag()) {
            let message = format!("unexpected `{}` under a source citation that is {form}", part.tag());
            let help = if is_of_text {
                "write `TEXT` under `DATA`"
            } else {
                "make the source a record and point to it; programs drop structures that they do not expect"
            };
            findings.report_with_help(codes::CITATION_MIXED, part, message, help);
        }
    }
}

/// Checks that an event states that it happened. It does so by `Y`, a date, a place, or the family
/// of an adoption.
fn check_event<'d>(node: Node<'d>, findings: &mut Findings<'_, 'd>) {
    if payload_text(node).is_empty() {
        let tag = shorten(node.tag());
        let message = format!("expected `Y`, a date or a place for `{tag}`, but found none of them");
        let help =
            format!("write `{tag} Y` if you know that it happened; otherwise programs may leave it out");
        findings.report_at(codes::STRUCTURE_INCOMPLETE, node, node.line_span(), message, Some(help));
    }
}

fn check_address<'d>(node: Node<'d>, findings: &mut Findings<'_, 'd>) {
    let text = payload_text(node);
    if text.is_empty() {
        let message = "expected the lines of the address after `ADDR`, but found none".to_owned();
        let help = "programs print the lines of an address, not the parts under it";
        findings.report_with_help(codes::STRUCTURE_INCOMPLETE, node, message, help);
    }
    let lines = text.split('\n').count();
    if lines > ADDRESS_LINES {
        let message = format!("expected at most {ADDRESS_LINES} lines of an address, but found {lines}");
        let help = "programs may cut off the rest";
        findings.report_with_help(codes::VALUE_TOO_LONG, node, message, help);
    }
}

/// The maximum length in bytes of a name whose pieces are checked. A longer name is reported as too
/// long.
const LONGEST_NAME: usize = 1000;

/// Checks that at least one word of each name piece occurs in the name.
fn check_name_pieces<'d>(node: Node<'d>, findings: &mut Findings<'_, 'd>) {
    let name = payload_text(node);
    // The time is proportional to the length of the name and the number of words.
    if name.len() > LONGEST_NAME {
        return;
    }
    let Ok(parsed) = PersonalName::parse(&name) else { return };
    for piece in node.substructures() {
        let (whole, what) = match (piece.tag(), parsed.surname()) {
            ("SURN", Some(surname)) => ([surname, ""], "surname"),
            ("GIVN", Some(_)) => ([parsed.before(), parsed.after()], "given name"),
            _ => continue,
        };
        let value = payload_text(piece);
        // Fast path: nearly all words match exactly. A name with a sigma does not use it, because
        // the lower case of sigma depends on its neighbours.
        let stands = |word: &str| {
            !word.is_empty() && !word.contains('Σ') && whole.iter().any(|part| part.contains(word))
        };
        if value.split(|c: char| !c.is_alphanumeric()).any(stands) {
            continue;
        }
        let whole = whole.join(" ").to_lowercase();
        let words = |text: &str| -> Vec<String> {
            text.split(|c: char| !c.is_alphanumeric())
                .filter(|word| !word.is_empty())
                .map(str::to_lowercase)
                .collect()
        };
        let of_value = words(&value);
        if !of_value.is_empty() && !of_value.iter().any(|word| whole.contains(word.as_str())) {
            let message =
                format!("expected the {what} of `{}`, but found `{}`", shorten(&name), shorten(&value));
            let help = "some programs use the name, others its pieces";
            findings.report_with_help(codes::VALUE_INCONSISTENT, piece, message, help);
        }
    }
}

/// Checks that a place has as many parts as its own `FORM` names.
fn check_place_hierarchy<'d>(node: Node<'d>, findings: &mut Findings<'_, 'd>) {
    let place = payload_text(node);
    if place.is_empty() {
        return;
    }
    let form = node.substructures().find(|below| below.tag() == "FORM").map(payload_text).unwrap_or_default();
    let (parts, names) = (items(&place).count(), items(&form).count());
    if names > 0 && parts != names {
        let message = format!("expected {names} parts of a place, as in `FORM`, but found {parts}");
        let help = "write a comma for each unknown part, so that the other parts keep their meaning";
        findings.report_with_help(codes::VALUE_INCONSISTENT, node, message, help);
    }
}
