//! The values of payloads by the types of their structures, and findings about them.

use crate::column::TypeColumn;
use crate::ids::TypeId;
use crate::schema::Schema;
use elf_base::{Diagnostic, Fix, FixAction, Safety, Sink};
use elf_tagged::elf_octets::Locator;
use elf_tagged::escape::have_same_calendars;
use elf_tagged::{Document, Node, NodeId, Payload};
use elf_values::{
    Datatype, Finding, Respelling, Value, check, check_as_found, check_gedcom_7_with_extensions,
};

/// Returns the datatype of a structure's payload. In a file of GEDCOM 7, types of ELF have the grammars of GEDCOM 7,
/// too.
pub(crate) fn datatype_of(node: Node<'_>, schema: &Schema, of: Option<TypeId>) -> Datatype {
    let is_gedcom_7 = node.document().rules().schema.mechanism.is_of_extension_tags();
    datatype_of_type(schema, of, is_gedcom_7)
}

pub(crate) fn datatype_of_type(schema: &Schema, of: Option<TypeId>, is_gedcom_7: bool) -> Datatype {
    let datatype = of.and_then(|of| schema.datatypes().get(of.index()).copied()).unwrap_or(Datatype::Text);
    if is_gedcom_7 { datatype.in_gedcom_7() } else { datatype }
}

/// Returns the value of a structure's payload; `None` if it has none, or a pointer.
pub(crate) fn value_of<'d>(node: Node<'d>, datatype: Datatype) -> Option<Value<'d>> {
    match node.payload() {
        Payload::Text(text) => Some(Value::read(text, datatype)),
        Payload::None | Payload::Pointer(_) => None,
    }
}

/// Reports payloads that violate the datatypes of their types, in document order.
pub(crate) fn report_values(
    document: &Document<'_>,
    column: &TypeColumn,
    schema: &Schema,
    sink: &mut dyn Sink,
) {
    let dates = schema.date_kinds();
    let mut locator = None;
    for (index, of) in column.iter() {
        // No standard defines the payloads of vendor tags.
        let Some(&Some(kind)) = dates.get(of.index()).filter(|_| !schema.is_vendor_type(of)) else {
            continue;
        };
        let node = u32::try_from(index).ok().and_then(|index| document.node(NodeId::new(index)));
        let Some(node) = node else { continue };
        let Payload::Text(text) = node.payload() else { continue };
        if kind.is_plain(&text) {
            continue;
        }
        let findings = match datatype_of(node, schema, Some(of)) {
            datatype @ Datatype::Gedcom70(_) => {
                let names = schema.extension_names();
                check_gedcom_7_with_extensions(&text, datatype, &|tag, uri| names.stands_for(tag, uri))
            }
            datatype if document.rules().schema.dates.fold_letters() => check_as_found(&text, datatype),
            datatype => check(&text, datatype),
        };
        if !findings.is_empty() {
            let locator = locator.get_or_insert_with(|| document.locator());
            report_findings(findings, node, locator, sink);
        }
    }
}

#[cold]
fn report_findings(findings: Vec<Finding>, node: Node<'_>, locator: &mut Locator<'_>, sink: &mut dyn Sink) {
    for mut found in findings {
        let message = std::mem::take(&mut found.message);
        let finding = Diagnostic::new(found.code, node.document().rules(), message);
        sink.report(about_value(finding, found, node, locator));
    }
}

/// Structures for a state that lasts, as opposed to an event.
const STATES: [&str; 8] = ["RESI", "OCCU", "EDUC", "TITL", "RELI", "NATI", "PROP", "CAST"];

/// Places a finding about a value at its bytes in the payload of a structure, and adds help and the fix.
#[cold]
pub fn about_value(
    finding: Diagnostic,
    mut found: Finding,
    node: Node<'_>,
    locator: &mut Locator<'_>,
) -> Diagnostic {
    if node.superstructure().is_some_and(|above| STATES.contains(&above.tag())) {
        found = found.of_state(&node.text());
    }
    let span = node.payload_place(found.span);
    let mut finding = finding.at(locator.place(span), locator.excerpt(span));
    if let Some(help) = found.help {
        finding = finding.help(help);
    }
    finding.fix = found.fix.and_then(|respelling| payload_fix(node, respelling));
    finding
}

/// Creates the fix that replaces a payload. `None` for payloads with several lines or with at signs outside calendar
/// escapes, because it is not certain how to write these.
#[cold]
pub fn payload_fix(node: Node<'_>, respelling: Respelling) -> Option<Fix> {
    let is_alone = !node.flags().is_continued() && !node.flags().has_made_payload();
    let grammar = node.document().escape();
    let fits = is_alone && have_same_calendars(node.line_payload()?, &respelling.text, grammar);
    let action = FixAction::SetPayload(respelling.text.into());
    fits.then(|| match respelling.safety {
        Safety::Safe => Fix::safe(action),
        Safety::Unsafe => Fix::guess(action),
    })
}
