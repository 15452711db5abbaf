//! `check`: what `elf check` does.

use crate::input::Input;
use crate::reading::{Reading, ReadingOptions};
use crate::values::{js_error, object_of_json, options};
use elf_base::{Excerpt, FlatFinding};
use elf_check::config::{FindingWord, Section, StandardChoice, parse_denied};
use elf_check::{CheckRequest, Checked, FactRequest, Finding, FindingCounts, Keep, Settings, flat_fix};
use elf_edit::RecordTags;
use elf_schema::ReadOptions;
use elf_schema::elf_values::parse_iso_day;
use js_sys::{Date, Function};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "CheckOptions")]
    pub type CheckOptions;
    #[wasm_bindgen(typescript_type = "ProgressFunction")]
    pub type ProgressFunction;
    #[wasm_bindgen(typescript_type = "TakeFunction")]
    pub type TakeFunction;
    #[wasm_bindgen(typescript_type = "Report")]
    pub type Report;
}

/// The members of `CheckOptions`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct CheckArguments {
    pub(crate) rules: Option<String>,
    pub(crate) encoding: Option<String>,
    pub(crate) schema: Option<String>,
    pub(crate) against: Option<String>,
    pub(crate) facts: bool,
    pub(crate) unlikely: bool,
    pub(crate) today: Option<String>,
    pub(crate) select: Vec<String>,
    pub(crate) ignore: Vec<String>,
    pub(crate) deny: Vec<String>,
    pub(crate) each_undefined: bool,
    pub(crate) name: Option<String>,
    pub(crate) most: Option<usize>,
    pub(crate) details: bool,
}

/// A check that is ready to run.
pub(crate) struct ReadyCheck {
    settings: Settings,
    reading: Reading,
    each_undefined: bool,
}

impl CheckArguments {
    pub(crate) fn ready(&self) -> Result<ReadyCheck, JsError> {
        let CheckArguments { rules, encoding, schema, .. } = self;
        let reading = ReadingOptions::new(rules.clone(), encoding.clone(), schema.clone()).reading()?;
        let (select, ignore) = (parse_finding_words(&self.select)?, parse_finding_words(&self.ignore)?);
        let deny = self.deny.iter().map(|word| parse_denied(word).map_err(js_error));
        let deny = deny.collect::<Result<Vec<FindingWord>, JsError>>()?;
        let against =
            self.against.as_deref().map(str::parse::<StandardChoice>).transpose().map_err(js_error)?;
        let facts = match self.facts || self.unlikely {
            true => Some(FactRequest { today: day(self.today.as_deref())?, unlikely: self.unlikely }),
            false => None,
        };
        let request = CheckRequest {
            rules: rules.as_ref().map(|_| reading.rules),
            select: &select,
            ignore: &ignore,
            deny: &deny,
            against,
            each_undefined: self.each_undefined,
            facts,
        };
        let settings = Settings::new(&request, Section::default());
        Ok(ReadyCheck { settings, reading, each_undefined: self.each_undefined })
    }
}

impl ReadyCheck {
    /// The options for reading: those of any check, whatever its standard is.
    pub(crate) fn options(&self) -> ReadOptions<'static> {
        self.reading.options().with_check_values(true).with_each_undefined(self.each_undefined)
    }

    pub(crate) fn check(&self, keep: Keep) -> elf_check::Check<'static> {
        self.settings.check(&self.options(), keep)
    }
}

fn parse_finding_words(words: &[String]) -> Result<Vec<FindingWord>, JsError> {
    words.iter().map(|word| word.parse().map_err(js_error)).collect()
}

/// Returns the Julian day number of the day that is named, such as `2026-11-28`; without one, of the day of the clock in
/// Greenwich.
pub(crate) fn day(named: Option<&str>) -> Result<i64, JsError> {
    let text = match named {
        Some(text) => text.to_owned(),
        // The text continues with the time, after a `T`.
        None => String::from(Date::new_0().to_iso_string()).chars().take("YYYY-MM-DD".len()).collect(),
    };
    parse_iso_day(&text).ok_or_else(|| js_error(format!("`{text}`: expected a day such as 2026-11-22")))
}

/// A finding as `elf check --format json` prints it, with what a person wants to see besides.
#[derive(Serialize)]
struct DetailedFinding<'a> {
    #[serde(flatten)]
    finding: FlatFinding<'a>,
    /// The record, its person and the structures above.
    #[serde(skip_serializing_if = "Option::is_none")]
    structure: Option<String>,
    /// The text of the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    excerpt: Option<LineExcerpt<'a>>,
}

#[derive(Serialize)]
struct LineExcerpt<'a> {
    text: &'a str,
    first_column: u64,
}

/// The summary of `elf check --format json`.
#[derive(Serialize)]
struct Summary<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(flatten)]
    counts: FindingCounts,
}

/// The number of findings of a code.
#[derive(Serialize)]
struct CountOfCode {
    code: &'static str,
    name: &'static str,
    title: &'static str,
    class: &'static str,
    count: u64,
    repairable: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<&'static str>,
}

/// Findings as the text of a JSON array.
struct FindingWriter<'a> {
    json: Vec<u8>,
    file: Option<&'a str>,
    has_details: bool,
}

impl FindingWriter<'_> {
    fn write(&mut self, one: &Finding, records: &RecordTags) -> serde_json::Result<()> {
        self.json.push(if self.json.is_empty() { b'[' } else { b',' });
        let context = one.context.as_ref();
        let (record, path) = (
            context.map(|context| context.record(records)),
            context.and_then(|context| context.path(records)),
        );
        let mut finding = FlatFinding::new(&one.diagnostic)
            .in_record(record.as_deref(), path.as_deref())
            .with_fix(one.fix.as_deref().map(flat_fix));
        finding.file = self.file;
        if !self.has_details {
            return serde_json::to_writer(&mut self.json, &finding);
        }
        let excerpt = one.diagnostic.excerpt.as_ref();
        let detailed = DetailedFinding {
            finding,
            structure: context.map(|context| context.describe(records)),
            excerpt: excerpt
                .map(|Excerpt { text, first_column, .. }| LineExcerpt { text, first_column: *first_column }),
        };
        serde_json::to_writer(&mut self.json, &detailed)
    }

    /// Returns the findings since the last call as an array.
    fn take(&mut self) -> Vec<u8> {
        let mut json = std::mem::take(&mut self.json);
        if json.is_empty() {
            json.push(b'[');
        }
        json.push(b']');
        json
    }

    /// Hands the findings since the last call to a function.
    fn hand_out(&mut self, function: &Function) -> Result<(), JsValue> {
        if self.json.is_empty() {
            return Ok(());
        }
        let json = String::from_utf8(self.take()).map_err(JsError::from)?;
        function.call1(&JsValue::NULL, &object_of_json(&json)?).map(drop)
    }
}

/// Checks a file, as `elf check` does. `progress` gets the number of bytes read so far, and of all. `take` gets the findings
/// while the file is read; the report then has none. If `take` throws an error, the check ends with this error.
#[wasm_bindgen]
pub fn check(
    bytes: &[u8],
    options: Option<CheckOptions>,
    progress: Option<ProgressFunction>,
    take: Option<TakeFunction>,
) -> Result<Report, JsValue> {
    let options: Option<JsValue> = options.map(Into::into);
    let arguments: CheckArguments = self::options(options.as_ref())?;
    let progress: Option<Function> = progress.map(|function| JsValue::from(function).into());
    let take: Option<Function> = take.map(|function| JsValue::from(function).into());
    let mut writer =
        FindingWriter { json: Vec::new(), file: arguments.name.as_deref(), has_details: arguments.details };
    let keep = match arguments.most {
        Some(most) => Keep::FirstOfEach(most),
        None if arguments.details => Keep::All,
        None => Keep::Related,
    };
    let mut input = Input::new(bytes, progress.as_ref());
    let mut thrown: Option<JsValue> = None;
    let checked = arguments.ready()?.check(keep).run(&mut input, None, &mut |some, records| {
        some.iter().try_for_each(|one| writer.write(one, records))?;
        let handed_out = take.as_ref().map_or(Ok(()), |function| writer.hand_out(function));
        handed_out.map_err(|error| {
            thrown = Some(error);
            std::io::Error::other("the function that takes the findings failed")
        })
    });
    let checked = checked.map_err(|error| thrown.unwrap_or_else(|| js_error(error).into()))?;
    let report = report_json(&checked, arguments.name.as_deref(), writer.take())?;
    Ok(object_of_json(&report)?.into())
}

/// Puts the parts of a report together. The findings, of which there may be many, are not parsed again.
fn report_json(checked: &Checked, file: Option<&str>, findings: Vec<u8>) -> Result<String, JsError> {
    let codes: Vec<CountOfCode> = checked
        .codes
        .merged()
        .iter()
        .map(|one| CountOfCode {
            code: one.code.id(),
            name: one.code.name(),
            title: one.code.title(),
            class: one.class.name(),
            count: one.count,
            repairable: one.fixable,
            fix: one.safety().map(elf_base::Safety::name),
        })
        .collect();
    let mut json = b"{\"findings\":".to_vec();
    json.extend(findings);
    json.extend(b",\"summary\":");
    serde_json::to_writer(&mut json, &Summary { file, counts: FindingCounts::from(checked) })?;
    json.extend(b",\"codes\":");
    serde_json::to_writer(&mut json, &codes)?;
    let (fails, is_gedcom) = (checked.codes.failing > 0, checked.is_gedcom);
    json.extend(format!(",\"fails\":{fails},\"isGedcom\":{is_gedcom}}}").bytes());
    Ok(String::from_utf8(json)?)
}
