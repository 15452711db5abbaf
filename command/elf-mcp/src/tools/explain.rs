//! `explain`: what a code, a tag or a date means.

use super::{AssistantTool, Effect};
use crate::error::ToolError;
use crate::session::Session;
use crate::text::{NOTE, clean, field};
use elf_base::{Code, Rules, codes};
use elf_lineage::days_in_words;
use elf_report::tag::StandardTag;
use elf_report::value::Value;
use elf_report::{code as code_page, vendor};
use elf_schema::Datatype;
use elf_schema::near::Near;
use elf_schema::vendors::{self, VendorTag};
use elf_values::{Bound, DateValue, Gedcom70, iso_day};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// The meanings of a tag, and the tags that it may be under.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    meanings: Vec<TagMeaning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<DateMeaning>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TagMeaning {
    /// The type, such as `elf:BIRTH`.
    structure_type: String,
    /// The types of the structures that the tag may be under.
    under: Vec<String>,
    /// What the payload is, such as `a date`.
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
            structure_type: short(one.structure_type()),
            under: one.under().iter().take(MOST).map(|iri| short(iri)).collect(),
            payload: payload_in_words(datatype),
        }
    });
    let meanings: Vec<TagMeaning> = meanings.collect();
    let page = match entries.is_empty() {
        true => None,
        false => page_answer(|out| vendor::write_page(out, &tag, &standard, &entries)).page,
    };
    Ok(ExplainAnswer { page, meanings, date: None })
}

fn payload_in_words(datatype: Datatype) -> String {
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
        Datatype::Text => "text, a pointer or nothing, without a grammar",
    };
    words.to_owned()
}

fn explain_date(text: &str) -> ExplainAnswer {
    let value = Value::of(text.trim(), Datatype::DateValue, None, &Rules::WILD);
    let day = |bound: Bound| match bound {
        Bound::Day(number) => iso_day(number),
        Bound::Open | Bound::Unknown => None,
    };
    let faults = value.findings.iter().map(|fault| match &fault.help {
        Some(help) => field(&format!("{}; {help}", fault.message)),
        None => field(&fault.message),
    });
    let date = DateMeaning {
        words: DateValue::parse(text.trim()).ok().map(|date| field(&days_in_words(&date))),
        form: value.form,
        earliest: value.days.and_then(|days| day(days.earliest)),
        latest: value.days.and_then(|days| day(days.latest)),
        canonical: value.canonical.as_deref().map(field),
        faults: faults.collect(),
    };
    ExplainAnswer { page: None, meanings: Vec::new(), date: Some(date) }
}
