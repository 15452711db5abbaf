//! A text held against the grammar, the list and the length that its kind has.

use crate::findings::Findings;
use crate::payloads::shown;
use crate::table::Text;
use elf_base::{Class, Span, codes};
use elf_schema::{Node, Payload};
use elf_values::{Choice, Coordinate, Datatype, Malformed, PersonalName, check_gedcom};

/// Reports what is at fault with the text of a structure, where it has one; of a text that is none of its
/// grammar or list nothing more.
pub(crate) fn hold<'d>(node: Node<'d>, payload: &Payload<'_>, text: &Text, findings: &mut Findings<'_, 'd>) {
    let Payload::Text(found) = payload else { return };
    if found.is_empty() {
        return;
    }
    if !text.values.is_empty() && Choice::of(found, text.values.iter().copied()) == Choice::Other {
        not_listed(node, found, text, findings);
        return;
    }
    if is_outside(node, found, text, findings) {
        return;
    }
    if let Some(longest) = text.longest {
        too_long(node, found, longest, findings);
    }
}

/// Reports what is at fault with a text by its grammar, and tells whether anything is.
fn is_outside<'d>(node: Node<'d>, found: &str, text: &Text, findings: &mut Findings<'_, 'd>) -> bool {
    match text.grammar {
        Datatype::DateValue | Datatype::DatePeriod | Datatype::DateExact | Datatype::Age | Datatype::Time => {
            let faults = check_gedcom(found, text.grammar);
            let is_outside = !faults.is_empty();
            for fault in faults {
                findings.report_value(node, found, fault);
            }
            is_outside
        }
        Datatype::PersonalName => malformed(node, found, text, PersonalName::parse(found).err(), findings),
        Datatype::Latitude => malformed(node, found, text, Coordinate::latitude(found).err(), findings),
        Datatype::Longitude => malformed(node, found, text, Coordinate::longitude(found).err(), findings),
        Datatype::Integer => {
            let is_number = found.trim_matches(' ').bytes().all(|octet| octet.is_ascii_digit());
            if !is_number {
                let message = format!("expected a whole number, but found `{}`", shown(found));
                report_malformed(node, text, (whole(found), message, None), findings);
            }
            !is_number
        }
        Datatype::Language | Datatype::List | Datatype::Word(_) | Datatype::Text => false,
    }
}

/// A value that is outside its grammar: the octets at fault, the message, and help.
type TextFault = (Span, String, Option<&'static str>);

fn malformed<'d>(
    node: Node<'d>,
    found: &str,
    text: &Text,
    fault: Option<Malformed>,
    findings: &mut Findings<'_, 'd>,
) -> bool {
    let Some(fault) = fault else { return false };
    let message = format!("`{}` is no {}: {fault}", shown(found), name(text.grammar));
    let help = match text.grammar {
        Datatype::Latitude => "write degrees with a decimal point behind `N` or `S`, such as `N52.1`",
        Datatype::Longitude => "write degrees with a decimal point behind `E` or `W`, such as `W0.75`",
        _ => "programs take what stands between two `/` for the surname; with one or three they guess",
    };
    report_malformed(node, text, (fault.span, message, Some(help)), findings);
    true
}

#[cold]
fn report_malformed<'d>(node: Node<'d>, text: &Text, fault: TextFault, findings: &mut Findings<'_, 'd>) {
    let (span, message, help) = fault;
    let class = (!text.is_required).then_some(Class::Advice);
    findings.report_in_payload(codes::VALUE_MALFORMED, node, span, (message, help, class));
}

const fn name(grammar: Datatype) -> &'static str {
    match grammar {
        Datatype::PersonalName => "name of a person",
        Datatype::Latitude => "latitude",
        Datatype::Longitude => "longitude",
        _ => "value",
    }
}

#[cold]
fn not_listed<'d>(node: Node<'d>, found: &str, text: &Text, findings: &mut Findings<'_, 'd>) {
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
    let message = format!("expected {wanted}, but found `{}`", shown(found));
    let help = "programs do not know the value, and show it as it stands or take it for none";
    let class = (!text.is_required).then_some(Class::Advice);
    findings.report_in_payload(codes::VALUE_NOT_LISTED, node, whole(found), (message, Some(help), class));
}

fn too_long<'d>(node: Node<'d>, found: &str, longest: u32, findings: &mut Findings<'_, 'd>) {
    let longest = longest as usize;
    // A text has no more characters than octets.
    if found.len() <= longest {
        return;
    }
    let length = found.chars().count();
    if length > longest {
        let message =
            format!("expected at most {longest} characters, but found {length}: `{}`", shown(found));
        let help = "programs have to keep no more than that; what is behind may be cut off";
        findings.report_in_payload(codes::VALUE_TOO_LONG, node, whole(found), (message, Some(help), None));
    }
}

fn whole(text: &str) -> Span {
    Span::new(0, u32::try_from(text.len()).unwrap_or(u32::MAX))
}
