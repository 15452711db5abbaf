//! `report`: what `elf report` does.

use crate::check::{CheckArguments, day};
use crate::values::{js_error, options};
use elf_check::Keep;
use elf_lineage::LivingRule;
use elf_report::page::{FileReport, PeopleOptions, ReportSettings, report_html};
use serde::Deserialize;
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "ReportOptions")]
    pub type ReportOptions;
}

/// The members of `ReportOptions`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct ReportArguments {
    rules: Option<String>,
    encoding: Option<String>,
    schema: Option<String>,
    against: Option<String>,
    today: Option<String>,
    living: bool,
    people: Option<bool>,
    name: Option<String>,
}

/// Writes a page about a file, as `elf report` does. Living people are hidden, unless you ask for them.
#[wasm_bindgen]
pub fn report(bytes: &[u8], options: Option<ReportOptions>) -> Result<String, JsError> {
    let options: Option<JsValue> = options.map(Into::into);
    let arguments: ReportArguments = self::options(options.as_ref())?;
    let today = day(arguments.today.as_deref())?;
    let people = match (arguments.people, arguments.living) {
        (Some(false), _) => None,
        (_, true) => Some(PeopleOptions::everybody()),
        (_, false) => Some(PeopleOptions::hiding_living(LivingRule::on(today))),
    };
    let name = arguments.name.clone().unwrap_or_else(|| "file".to_owned());
    let ReportArguments { rules, encoding, schema, against, today: asked, .. } = arguments;
    // The page also asks about unlikely facts.
    let check = CheckArguments {
        rules,
        encoding,
        schema,
        against,
        today: asked,
        unlikely: true,
        ..CheckArguments::default()
    };
    let ready = check.ready()?;
    let settings =
        ReportSettings::new(ready.check(Keep::Nothing)).with_options(ready.options()).with_people(people);
    let report = FileReport::read(&name, bytes, &settings).map_err(js_error)?;
    Ok(report_html(&[report], Some(today)))
}
