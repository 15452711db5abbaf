//! `explain`: what a code, a tag or a date means.

use super::{AssistantTool, Effect};
use crate::error::ToolError;
use crate::session::Session;
use crate::text::{NOTE, clean, field};
use elf_base::{Code, Rules, codes};
use elf_lineage::{days_in_words, dual_year_in_words, noun_of_tag, type_in_words};
use elf_report::tag::StandardTag;
use elf_report::value::Value;
use elf_report::{code as code_page, vendor};
use elf_schema::near::Near;
use elf_schema::vendors::{self, VendorTag};
use elf_schema::{Correspondence, Datatype, Definition, Schema, TypeId};
use elf_validate::{Kind, Standard, Table};
use elf_values::{Bound, DateValue, Gedcom70, iso_day};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

pub(crate) struct Explain;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ExplainArgs {
    /// The code or the name of a finding, such as `E0203` or `level-too-deep`.
    #[serde(default)]
    code: Option<String>,
    /// A tag, such as `BIRT` or the vendor tag `_FREL`.
    #[serde(default)]
    tag: Option<String>,
    /// A date as GEDCOM writes it, such as `BEF 20 JUN 1881`.
    #[serde(default)]
    date: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ExplainAnswer {
    /// The page about a code or a vendor tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
    /// The meanings of a tag in a standard, and the structures that it may be under.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    meanings: Vec<TagMeaning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<DateMeaning>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TagMeaning {
    /// What the tag means, such as `birth`.
    means: String,
    /// The type, such as `elf:BIRTH`.
    structure_type: String,
    /// The types that it is a kind of, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kind_of: Vec<String>,
    /// The types of the structures that the tag may be under, in words.
    under: Vec<String>,
    /// What the payload is, such as *a date, such as `3 MAR 1850`*.
    payload: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct DateMeaning {
    /// The date in words. Missing if the text is not a date.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<String>,
    /// The form, such as `exact` or `between`; `text` if the text is not a date.
    form: &'static str,
    /// The first day on which it may have been. Missing if it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    earliest: Option<String>,
    /// The last day.
    #[serde(skip_serializing_if = "Option::is_none")]
    latest: Option<String>,
    /// What a dual year such as `1699/00` means.
    #[serde(skip_serializing_if = "Option::is_none")]
    dual_year: Option<String>,
    /// The usual spelling.
    #[serde(skip_serializing_if = "Option::is_none")]
    canonical: Option<String>,
    /// What is wrong with it, and what may be meant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<String>,
}

/// The longest page, in bytes.
const LONGEST: usize = 5_000;

impl AssistantTool for Explain {
    const NAME: &'static str = "explain";
    const TITLE: &'static str = "Explain a code, a tag or a date";
    const ABOUT: &'static str = "Explains one thing: the code of a finding, a tag of GEDCOM or of a program, or what a date \
        means. Set exactly one argument.";
    const EFFECT: Effect = Effect::Reads;
    type Args = ExplainArgs;
    type Answer = ExplainAnswer;

    fn run(_: &mut Session, args: ExplainArgs) -> Result<ExplainAnswer, ToolError> {
        match (args.code.as_deref(), args.tag.as_deref(), args.date.as_deref()) {
            (Some(code), None, None) => explain_code(code),
            (None, Some(tag), None) => explain_tag(tag),
            (None, None, Some(date)) => Ok(explain_date(date)),
            _ => Err(ToolError::new("set exactly one of `code`, `tag` and `date`")),
        }
    }
}

fn explain_code(name: &str) -> Result<ExplainAnswer, ToolError> {
    let Some(code) = Code::from_name(&name.trim().to_ascii_lowercase()) else {
        let near = Near::of(name, codes::all().flat_map(|code| [code.id(), code.name()]));
        let help = near.help(|| None).unwrap_or_else(|| "`findings` lists the codes of a file".to_owned());
        return Err(ToolError::new(format!("there is no code `{name}`; {help}")));
    };
    Ok(page_answer(|out| code_page::write_page(out, code)))
}

fn page_answer(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> ExplainAnswer {
    let mut page = Vec::new();
    // Memory can be written to.
    let _ = write(&mut page);
    let page = clean(&String::from_utf8_lossy(&page), LONGEST).text;
    ExplainAnswer { page: Some(page), meanings: Vec::new(), date: None }
}

fn explain_tag(tag: &str) -> Result<ExplainAnswer, ToolError> {
    /// The most meanings of a tag, and the most places of each.
    const MOST: usize = 10;
    let tag = tag.trim().to_ascii_uppercase();
    let entries: Vec<VendorTag> = vendors::tags_named(&tag).collect();
    let standard = StandardTag::list(&tag);
    if entries.is_empty() && standard.is_empty() {
        let near = Near::of(&tag, StandardTag::known_tags());
        let help =
            near.help(|| None).unwrap_or_else(|| "no standard and no program that we know has it".to_owned());
        return Err(ToolError::new(format!("unknown tag `{tag}`; {help}")));
    }
    let meanings = standard.iter().take(MOST).map(|one| {
        let schema = one.schema();
        let short = |iri: &str| schema.prefixes().shorten(iri).into_owned();
        let datatype = schema.type_of(one.structure_type()).map_or(Datatype::Text, |of| schema.datatype(of));
        TagMeaning {
            means: meaning_of(one.structure_type(), &tag),
            structure_type: short(one.structure_type()),
            kind_of: one.supertypes().iter().map(|iri| type_in_words(iri)).collect(),
            under: one.under().iter().take(MOST).map(|iri| place_in_words(schema, iri)).collect(),
            payload: payload_in_words(datatype, one.structure_type(), &tag),
        }
    });
    let meanings: Vec<TagMeaning> = meanings.collect();
    let page = match entries.is_empty() {
        true => None,
        false => page_answer(|out| vendor::write_page(out, &tag, &standard, &entries)).page,
    };
    Ok(ExplainAnswer { page, meanings, date: None })
}

/// What a type means: the noun of a fact, or the name of the type.
fn meaning_of(iri: &str, tag: &str) -> String {
    match record_of_fact(iri) {
        Some(_) => noun_of_tag(tag).into_owned(),
        None => type_in_words(iri),
    }
}

/// The tag of the record in which a type is a fact: an event or an attribute.
fn record_of_fact(iri: &str) -> Option<&'static str> {
    let row = Correspondence::all().iter().find(|row| row.elf == Some(iri))?;
    match row.role? {
        role if role.is_event_of_person() => Some("INDI"),
        role if role.is_event_of_family() => Some("FAM"),
        _ => None,
    }
}

/// The structure that a tag may be under.
fn place_in_words(schema: &Schema, iri: &str) -> String {
    match schema.type_of(iri) {
        Some(TypeId::DOCUMENT) => "the file itself, as a record".to_owned(),
        Some(TypeId::METADATA) => "the header (HEAD)".to_owned(),
        _ => {
            let mut tags =
                schema.definitions().filter(|one| one.structure_type() == iri).map(Definition::tag);
            match tags.next() {
                Some(tag) if tags.all(|other| other == tag) => format!("{} ({tag})", type_in_words(iri)),
                _ => type_in_words(iri),
            }
        }
    }
}

/// Describes a payload without a grammar, by the tables of the standards.
fn text_payload(iri: &str, tag: &str) -> String {
    let kinds = kinds_of(iri, tag);
    let has = |allows: fn(&Kind) -> bool| kinds.iter().any(|kind| allows(kind));
    let mut parts: Vec<String> = Vec::new();
    let values: BTreeSet<String> =
        kinds.iter().flat_map(|kind| kind.text.values).map(|value| format!("`{value}`")).collect();
    let values: Vec<String> = values.into_iter().collect();
    if let [value] = &values[..] {
        parts.push(value.clone());
    } else if !values.is_empty() {
        parts.push(format!("one of {}", values.join(", ")));
    } else if has(|kind| kind.payloads.text) {
        parts.push("text".to_owned());
    }
    if has(|kind| kind.payloads.pointer) {
        let targets = kinds.iter().flat_map(|kind| kind.targets).map(|target| target_in_words(target));
        let targets: BTreeSet<String> = targets.collect();
        let targets: Vec<String> = targets.into_iter().collect();
        parts.push(match targets.is_empty() {
            true => "a pointer to a record".to_owned(),
            false => format!("a pointer to {}", targets.join(" or ")),
        });
    }
    if has(|kind| kind.payloads.none) {
        parts.push("nothing".to_owned());
    }
    match parts.is_empty() {
        true => "text, a pointer or nothing".to_owned(),
        false => clean(&parts.join(", or "), NOTE).text,
    }
}

/// The kinds of a fact in GEDCOM 5.5.1, of another type in the ELF Data Model, or of a tag in a version of GEDCOM.
fn kinds_of(iri: &str, tag: &str) -> Vec<&'static Kind> {
    if let Some(record) = record_of_fact(iri) {
        return Table::of(Standard::Gedcom551).kinds_on_path([record, tag]);
    }
    let kinds = |standard, name: &str| -> Vec<&'static Kind> {
        let table = Table::of(standard);
        let all = (0..).map_while(|number| table.kind(number));
        all.filter(|kind| kind.name == name).collect()
    };
    [(Standard::DataModel, iri), (Standard::Gedcom551, tag), (Standard::Gedcom70, tag)]
        .into_iter()
        .map(|(standard, name)| kinds(standard, name))
        .find(|kinds| !kinds.is_empty())
        .unwrap_or_default()
}

/// What a pointer points to: a type of the ELF Data Model in words, or a tag.
fn target_in_words(target: &str) -> String {
    if target.contains(':') { type_in_words(target) } else { format!("`{target}`") }
}

fn payload_in_words(datatype: Datatype, iri: &str, tag: &str) -> String {
    let words = match datatype {
        Datatype::DateValue => "a date, such as `3 MAR 1850` or `BEF 1850`",
        Datatype::DatePeriod => "a period, such as `FROM 1850 TO 1860`",
        Datatype::DateExact => "a day, such as `3 MAR 1850`",
        Datatype::Age => "an age, such as `17y 3m`",
        Datatype::Time => "a time of day, such as `13:30`",
        Datatype::PersonalName => "a personal name, with `/` before and after the surname",
        Datatype::Latitude => "degrees north or south, such as `N48.2`",
        Datatype::Longitude => "degrees east or west, such as `E16.4`",
        Datatype::Language => "the name of a language, or its tag such as `de`",
        Datatype::List => "items separated by commas",
        Datatype::Integer => "a whole number of 0 or more",
        Datatype::Word([word]) => return format!("`{word}`, or nothing"),
        Datatype::Word(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
            let words = format!("one of {}; some versions also allow other text", words.join(", "));
            return clean(&words, NOTE).text;
        }
        Datatype::Gedcom70(Gedcom70::Date) => "a date in the grammar of GEDCOM 7.0",
        Datatype::Gedcom70(Gedcom70::Period) => "a period in the grammar of GEDCOM 7.0",
        Datatype::Gedcom70(Gedcom70::Exact) => "a day in the grammar of GEDCOM 7.0",
        Datatype::Gedcom70(Gedcom70::Age) => "an age in the grammar of GEDCOM 7.0",
        Datatype::Gedcom70(Gedcom70::Time) => "a time of day in the grammar of GEDCOM 7.0",
        Datatype::Text => return text_payload(iri, tag),
    };
    words.to_owned()
}

fn explain_date(text: &str) -> ExplainAnswer {
    let value = Value::of(text.trim(), Datatype::DateValue, None, &Rules::WILD);
    // Read as the dates of files are read.
    let read = DateValue::parse_lenient(text.trim(), Rules::WILD.schema.dates);
    let written = DateValue::parse(text.trim()).ok();
    let day = |bound: Bound| match bound {
        Bound::Day(number) => iso_day(number),
        Bound::Open | Bound::Unknown => None,
    };
    let faults = value.findings.iter().map(|fault| match &fault.help {
        Some(help) => field(&format!("{}; {help}", fault.message)),
        None => field(&fault.message),
    });
    let date = DateMeaning {
        words: read.as_ref().map(|date| field(&days_in_words(date))),
        form: value.form,
        earliest: value.days.and_then(|days| day(days.earliest)),
        latest: value.days.and_then(|days| day(days.latest)),
        dual_year: written.and_then(|date| date.dates().find_map(|date| dual_year_in_words(&date))),
        canonical: value.canonical.as_deref().map(field),
        faults: faults.collect(),
    };
    ExplainAnswer { page: None, meanings: Vec::new(), date: Some(date) }
}
