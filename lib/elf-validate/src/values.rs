//! Checks a text against the grammar, the list of values and the length of its kind.

use crate::findings::{Findings, PayloadFault};
use crate::payloads::shorten;
use crate::table::{Grammar, Text};
use elf_base::{Class, Span, Standard, codes};
use elf_schema::Node;
use elf_values::{
    Choice, Coordinate, Datatype, Malformed, MediaType, PersonalName, check_gedcom,
    check_gedcom_7_with_extensions, file_path_fault, is_extension_tag, is_language_tag, tag_definition_fault,
    uri_fault,
};

/// The maximum number of items of one list that are reported.
const MOST_OUTSIDE: u32 = 8;

/// Checks the text of a structure. The length is not checked if the text violates its grammar or
/// its list of values.
pub(crate) fn check_text<'d>(node: Node<'d>, found: &str, text: &Text, findings: &mut Findings<'_, 'd>) {
    if found.is_empty() {
        return;
    }
    let is_outside = match text.grammar {
        Grammar::Datatype(_) if !is_listed(found, text.values) => {
            report_not_listed(node, found, whole_span(found), text, findings);
            true
        }
        Grammar::Datatype(datatype) => report_grammar_faults(node, found, text, datatype, findings),
        _ => report_gedcom_7_faults(node, found, text, findings),
    };
    if is_outside {
        return;
    }
    if let Some(longest) = text.longest {
        report_too_long(node, found, longest, findings);
    }
}

/// Returns whether a text is one of the values, without regard to case. Returns true if there are
/// no values.
fn is_listed(found: &str, values: &[&'static str]) -> bool {
    values.is_empty() || Choice::of(found, values.iter().copied()) != Choice::Other
}

/// Reports violations of the grammar of a datatype. Returns whether there were any.
fn report_grammar_faults<'d>(
    node: Node<'d>,
    found: &str,
    text: &Text,
    datatype: Datatype,
    findings: &mut Findings<'_, 'd>,
) -> bool {
    match datatype {
        // The reader of types has already reported the date.
        _ if datatype.is_of_dates() && findings.dates_are_checked() => false,
        Datatype::DateValue | Datatype::DatePeriod | Datatype::DateExact | Datatype::Age | Datatype::Time => {
            let names = findings.names;
            let faults = if findings.standard().has_values_of_7() {
                check_gedcom_7_with_extensions(found, datatype, &|tag, uri| names.stands_for(tag, uri))
            } else {
                check_gedcom(found, datatype)
            };
            let is_outside = !faults.is_empty();
            for fault in faults {
                findings.report_value(node, fault);
            }
            is_outside
        }
        Datatype::PersonalName if findings.standard().has_values_of_7() && found.contains(NO_NAME) => {
            let message = format!("expected a name in one line without tabs, but found `{}`", shorten(found));
            report_malformed(node, text, PayloadFault::new(whole_span(found), message), findings);
            true
        }
        Datatype::PersonalName if has_usual_solidi(found) => false,
        Datatype::PersonalName => report_malformed_name(node, found, text, findings),
        Datatype::Latitude | Datatype::Longitude => report_malformed_coordinate(node, found, text, findings),
        Datatype::Integer => {
            // In GEDCOM 7.0, spaces are significant.
            let digits = if findings.standard().has_values_of_7() { found } else { found.trim_matches(' ') };
            let is_number = digits.bytes().all(|octet| octet.is_ascii_digit());
            if !is_number {
                let message = format!("expected a whole number, but found `{}`", shorten(found));
                report_malformed(node, text, PayloadFault::new(whole_span(found), message), findings);
            }
            !is_number
        }
        Datatype::Language | Datatype::List | Datatype::Word(_) | Datatype::Gedcom70(_) | Datatype::Text => {
            false
        }
    }
}

/// Characters that a name in GEDCOM 7.0 must not contain.
const NO_NAME: [char; 3] = ['\t', '\n', '\r'];

/// The grammar of names only limits the number of solidi.
fn has_usual_solidi(name: &str) -> bool {
    matches!(name.bytes().filter(|&octet| octet == b'/').count(), 0 | 2)
}

/// Reports violations of the grammars that only GEDCOM 7.0 has. Returns whether there were any.
fn report_gedcom_7_faults<'d>(
    node: Node<'d>,
    found: &str,
    text: &Text,
    findings: &mut Findings<'_, 'd>,
) -> bool {
    let (fault, help) = match text.grammar {
        Grammar::Datatype(_) => return false,
        Grammar::Word | Grammar::Enumeration => {
            return report_if_not_listed(node, found, whole_span(found), text, findings);
        }
        Grammar::Enumerations => {
            let (mut outside, mut start) = (0, 0);
            for item in found.split(',') {
                let value = item.trim_matches(' ');
                let first = start + item.len() - item.trim_start_matches(' ').len();
                let is_outside =
                    report_if_not_listed(node, value, byte_span(first, first + value.len()), text, findings);
                outside += u32::from(is_outside);
                // Finding the place of a value takes time proportional to the length of the
                // payload, so only some values are reported.
                if outside == MOST_OUTSIDE {
                    break;
                }
                start += item.len() + 1;
            }
            return outside > 0;
        }
        Grammar::Uuid if is_uuid(found) => return false,
        Grammar::Uuid => {
            let message = format!("`{}` is not a UUID", shorten(found));
            let help = "keep existing identifiers; for new ones, GEDCOM 7.0 recommends UUIDs";
            let fault = PayloadFault::new(whole_span(found), message).with_help(help);
            findings.report_in_payload(codes::UID_UNUSUAL, node, fault);
            return true;
        }
        Grammar::LanguageTag if is_language_tag(found) => return false,
        Grammar::LanguageTag => {
            let message = format!("invalid language tag `{}`", shorten(found));
            let help = "write a BCP 47 tag such as `en` or `zh-Hant`";
            report_malformed(
                node,
                text,
                PayloadFault::new(whole_span(found), message).with_help(help),
                findings,
            );
            return true;
        }
        Grammar::Version if is_version(found) => return false,
        Grammar::Version if findings.standard() == Standard::Gedcom71 => {
            let message = format!("version `{}` of GEDCOM is a draft and may still change", shorten(found));
            let help = "programs that only know GEDCOM 7.0 skip the additions of the draft";
            let fault = PayloadFault::new(whole_span(found), message).with_help(help);
            findings.report_in_payload(codes::VERSION_DRAFT, node, fault);
            return true;
        }
        Grammar::Version => {
            let message = format!("expected `7.0`, but found `{}`", shorten(found));
            let help = "programs read the file by the version in its header";
            report_malformed(
                node,
                text,
                PayloadFault::new(whole_span(found), message).with_help(help),
                findings,
            );
            return true;
        }
        Grammar::MediaType => (MediaType::parse(found).err(), "write a type such as `image/jpeg`"),
        Grammar::FilePath => (
            file_path_fault(found),
            "write a path such as `media/a.jpg`, with `%20` for a space, or `https://e.example/a.jpg`",
        ),
        Grammar::Uri => (uri_fault(found), "write an address such as `https://e.example/name`"),
        Grammar::TagDefinition => (tag_definition_fault(found), "write `_TAG https://e.example/tag`"),
    };
    let Some(fault) = fault else { return false };
    let message = format!("invalid {} `{}`: {fault}", grammar_name(text.grammar), shorten(found));
    report_malformed(node, text, PayloadFault::new(fault.span, message).with_help(help), findings);
    true
}

/// Checks for five groups of 8, 4, 4, 4 and 12 hexadecimal digits (RFC 9562 §4).
fn is_uuid(text: &str) -> bool {
    const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
    let groups = || text.split('-');
    groups().map(str::len).eq(GROUPS)
        && groups().all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Checks for a version of GEDCOM 7.0: `"7.0" ( "." [0-9]+ )?`
fn is_version(text: &str) -> bool {
    let is_patch = |patch: &str| !patch.is_empty() && patch.bytes().all(|octet| octet.is_ascii_digit());
    text.strip_prefix("7.0")
        .is_some_and(|rest| rest.is_empty() || rest.strip_prefix('.').is_some_and(is_patch))
}

/// Reports a value that is not listed and is not an allowed extension tag. Returns whether it did.
fn report_if_not_listed<'d>(
    node: Node<'d>,
    value: &str,
    span: Span,
    text: &Text,
    findings: &mut Findings<'_, 'd>,
) -> bool {
    let is_good = text.values.contains(&value) || text.grammar != Grammar::Word && is_extension_tag(value);
    if !is_good {
        report_not_listed(node, value, span, text, findings);
    }
    !is_good
}

fn report_malformed_name<'d>(
    node: Node<'d>,
    found: &str,
    text: &Text,
    findings: &mut Findings<'_, 'd>,
) -> bool {
    let Err(fault) = PersonalName::parse(found) else { return false };
    let help = "programs read the text between two `/` as the surname; with one or three `/`, they guess";
    report_malformed(node, text, malformed_fault(found, text, &fault).with_help(help), findings);
    true
}

/// Reports a malformed coordinate, with a correct spelling if it is clear which place is meant.
fn report_malformed_coordinate<'d>(
    node: Node<'d>,
    found: &str,
    text: &Text,
    findings: &mut Findings<'_, 'd>,
) -> bool {
    let is_latitude = text.grammar == Grammar::Datatype(Datatype::Latitude);
    let read = if is_latitude { Coordinate::latitude } else { Coordinate::longitude };
    let Err(fault) = read(found) else { return false };
    let respell = if is_latitude { Coordinate::respell_latitude } else { Coordinate::respell_longitude };
    let help = if is_latitude {
        "write `N` or `S` and decimal degrees, such as `N52.1`"
    } else {
        "write `E` or `W` and decimal degrees, such as `W0.75`"
    };
    let fault =
        PayloadFault { respelling: respell(found), ..malformed_fault(found, text, &fault).with_help(help) };
    report_malformed(node, text, fault, findings);
    true
}

fn malformed_fault(found: &str, text: &Text, fault: &Malformed) -> PayloadFault {
    PayloadFault::new(
        fault.span,
        format!("invalid {} `{}`: {fault}", grammar_name(text.grammar), shorten(found)),
    )
}

#[cold]
fn report_malformed<'d>(
    node: Node<'d>,
    text: &Text,
    mut fault: PayloadFault,
    findings: &mut Findings<'_, 'd>,
) {
    fault.class = (!text.is_required).then_some(Class::Advice);
    findings.report_in_payload(codes::VALUE_MALFORMED, node, fault);
}

const fn grammar_name(grammar: Grammar) -> &'static str {
    match grammar {
        Grammar::Datatype(Datatype::PersonalName) => "personal name",
        Grammar::Datatype(Datatype::Latitude) => "latitude",
        Grammar::Datatype(Datatype::Longitude) => "longitude",
        Grammar::MediaType => "media type",
        Grammar::FilePath => "file path",
        Grammar::Uri => "URI",
        Grammar::TagDefinition => "tag definition",
        _ => "value",
    }
}

#[cold]
fn report_not_listed<'d>(
    node: Node<'d>,
    found: &str,
    span: Span,
    text: &Text,
    findings: &mut Findings<'_, 'd>,
) {
    const NAMED: usize = 20;
    let listed = text.values.iter().take(NAMED).map(|value| format!("`{value}`"));
    let mut listed: Vec<String> = listed.collect();
    if text.values.len() > NAMED {
        listed.push(format!("{} more", text.values.len() - NAMED));
    }
    let wanted = match listed.as_slice() {
        [value] => value.clone(),
        values => format!("one of {}", values.join(", ")),
    };
    let message = format!("expected {wanted}, but found `{}`", shorten(found));
    let help = "programs do not know the value: they show it as text or ignore it";
    let mut fault = PayloadFault::new(span, message).with_help(help);
    fault.class = (!text.is_required).then_some(Class::Advice);
    findings.report_in_payload(codes::VALUE_NOT_LISTED, node, fault);
}

fn report_too_long<'d>(node: Node<'d>, found: &str, longest: u32, findings: &mut Findings<'_, 'd>) {
    let longest = longest as usize;
    // A text has at most as many characters as bytes, so short texts need no counting.
    if found.len() <= longest {
        return;
    }
    let length = found.chars().count();
    if length > longest {
        let message =
            format!("expected at most {longest} characters, but found {length}: `{}`", shorten(found));
        let help = "programs may cut off the rest";
        let fault = PayloadFault::new(whole_span(found), message).with_help(help);
        findings.report_in_payload(codes::VALUE_TOO_LONG, node, fault);
    }
}

fn whole_span(text: &str) -> Span {
    byte_span(0, text.len())
}

fn byte_span(start: usize, end: usize) -> Span {
    let offset = |at| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(offset(start), offset(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_malformed_by_their_solidi() {
        for name in ["", "Ada", "Ada /Byron/", "//", "/", "Ada /Byron", "A/d/a/", "////", "é /ß/ 漢"] {
            assert_eq!(has_usual_solidi(name), PersonalName::parse(name).is_ok(), "{name}");
        }
    }
}
