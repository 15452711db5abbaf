//! The law of lines.

use crate::Input;
use elf_base::rules::LineRules;
use elf_lines::{Fault, Line, Payload, first_forbidden, parse, parse_characters_checked, write};

/// Every line string, by any rules, is either a line whose parts lie in order within it and
/// which is read again from what is written of it, or a fault that lies within it and has a message.
///
/// # Panics
///
/// If the law does not hold.
pub fn lines(input: &Input<'_>) {
    let (text, rules) = (String::from_utf8_lossy(input.octets), input.rules);
    for line_string in text.split(['\n', '\r']) {
        match parse(line_string, &rules.lines) {
            Ok(line) => {
                parts_lie_in_order(&line, line_string);
                what_is_written_reads_the_same(&line, &rules.lines);
            }
            Err(fault) => fault_lies_within(&fault, line_string),
        }
        if first_forbidden(line_string).is_none() {
            let checked = parse_characters_checked(line_string, &rules.lines);
            assert_eq!(parse(line_string, &rules.lines), checked, "{line_string:?}");
        }
    }
}

fn parts_lie_in_order(line: &Line<'_>, text: &str) {
    let (xref, tag, payload) = (line.xref_span(), line.tag_span(), line.payload_span());
    assert!(!tag.is_empty() && tag.of(text) == line.tag(), "{text:?}");
    assert!(xref.end <= tag.start && tag.end <= payload.start.max(tag.end), "{text:?}");
    assert!(payload.end as usize <= text.len() && payload.of(text) == line.payload_text(), "{text:?}");
    assert!(line.xref().is_none_or(|xref| text.contains(&format!("@{xref}@"))), "{text:?}");
}

fn what_is_written_reads_the_same(line: &Line<'_>, rules: &LineRules) {
    let mut written = String::new();
    write(&mut written, line.level(), line.xref(), line.tag(), line.payload());
    let again = parse(&written, rules);
    let again = again.unwrap_or_else(|fault| panic!("{written:?} is written, but not read: {fault}"));
    // An empty payload is written as none.
    let meant = |payload| if payload == Some(Payload::Text("")) { None } else { payload };
    assert_eq!(
        (line.level(), line.xref(), line.tag(), meant(line.payload())),
        (again.level(), again.xref(), again.tag(), meant(again.payload())),
        "{written:?}"
    );
}

fn fault_lies_within(fault: &Fault, text: &str) {
    assert!(fault.code.id().starts_with("E02"), "{fault:?}");
    assert!(
        fault.span.start <= fault.span.end && fault.span.end as usize <= text.len(),
        "{fault:?} of {text:?}"
    );
    assert!(
        text.is_char_boundary(fault.span.start as usize) && text.is_char_boundary(fault.span.end as usize)
    );
    assert!(!fault.message.is_empty() && !fault.message.ends_with('.'), "{fault:?}");
}
