//! `info`: what `elf info` does, with the evidence for the encoding.

use crate::check::ProgressFunction;
use crate::input::Input;
use crate::reading::ReadingOptions;
use crate::values::{js_error, object, options};
use elf_base::Tally;
use elf_check::runs::{Restart, RunReader};
use elf_report::page::{FileFacts, Overview, RunFacts};
use elf_schema::TypedDocument;
use js_sys::Function;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "InfoOptions")]
    pub type InfoOptions;
    #[wasm_bindgen(typescript_type = "Info")]
    pub type Info;
}

/// The members of `InfoOptions`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct InfoArguments {
    rules: Option<String>,
    encoding: Option<String>,
    schema: Option<String>,
    name: Option<String>,
}

/// The members of `Info`.
#[derive(Serialize)]
struct InfoMembers<'a> {
    #[serde(flatten)]
    overview: Overview<'a>,
    /// The reason for the encoding, in a few words.
    encoding_reason: &'a str,
    encoding_evidence: &'a [String],
    /// The version in the header, as it is written.
    version: String,
    people: u64,
    families: u64,
    complete: bool,
}

/// Tells what a file is, as `elf info` does, and why it was decoded so.
#[wasm_bindgen]
pub fn info(
    bytes: &[u8],
    options: Option<InfoOptions>,
    progress: Option<ProgressFunction>,
) -> Result<Info, JsError> {
    let options: Option<JsValue> = options.map(Into::into);
    let arguments: InfoArguments = self::options(options.as_ref())?;
    let progress: Option<Function> = progress.map(|function| JsValue::from(function).into());
    let facts = learn(&mut Input::new(bytes, progress.as_ref()), &arguments)?;
    let facts = facts.with_octets(bytes.len() as u64);
    let name = arguments.name.as_deref().unwrap_or_default();
    let members = InfoMembers {
        overview: Overview::new(name, &facts, arguments.schema.as_deref(), &Tally::new(())),
        encoding_reason: facts.encoding_reason(),
        encoding_evidence: &facts.decision.evidence,
        version: facts.versions(),
        people: facts.counts.records_of("INDI"),
        families: facts.counts.records_of("FAM"),
        complete: facts.is_complete,
    };
    Ok(object(&members)?.into())
}

fn learn(input: &mut Input<'_>, arguments: &InfoArguments) -> Result<FileFacts, JsError> {
    let InfoArguments { rules, encoding, schema, .. } = arguments;
    let reading = ReadingOptions::new(rules.clone(), encoding.clone(), schema.clone()).reading()?;
    let options = reading.options();
    let source = input.restart().map_err(js_error)?;
    let mut runs = RunReader::new(elf_tagged::Reader::new(source, reading.rules, &options.octets), options);
    let mut counted = RunFacts::default();
    let make = |run: &TypedDocument<'_>, ()| RunFacts::of(run);
    let take = |facts: RunFacts, _: &elf_tagged::Reader<_>| {
        counted.add(facts);
        Ok(())
    };
    runs.for_each(|| (), make, take, &mut ()).map_err(js_error)?;
    let facts = FileFacts::of(runs.tagged(), runs.resolver(), counted);
    facts.ok_or_else(|| js_error("no line of the file could be read"))
}
