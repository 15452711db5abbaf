//! `redact`: what `elf redact` does.

use crate::check::day;
use crate::reading::ReadingOptions;
use crate::values::{js_error, object_with_bytes, options};
use elf_extract::{DoubtReason, LivingRule, Plan, RecordCounts, RecordKind, Redaction, Replacement, Survey};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "RedactOptions")]
    pub type RedactOptions;
    #[wasm_bindgen(typescript_type = "RedactedFile")]
    pub type RedactedFile;
}

/// The members of `RedactOptions`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct RedactArguments {
    rules: Option<String>,
    encoding: Option<String>,
    replacement: Option<String>,
    keep: Vec<String>,
    within: Option<u32>,
    today: Option<String>,
    bare_death: bool,
}

/// The members of `RedactedFile`, except `bytes`.
#[derive(Serialize)]
struct RedactedMembers {
    people: Tally,
    families: Tally,
    others: Tally,
    structures: u64,
    mentions: Vec<PlaceOfMention>,
    unclear: Vec<u64>,
    doubts: Vec<DoubtMembers>,
}

#[derive(Serialize)]
struct Tally {
    kept: u64,
    hidden: u64,
    removed: u64,
}

#[derive(Serialize)]
struct PlaceOfMention {
    line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

#[derive(Serialize)]
struct DoubtMembers {
    line: u64,
    reason: &'static str,
    about: String,
}

impl Tally {
    fn of(RecordCounts { kept, hidden, removed, .. }: RecordCounts) -> Tally {
        Tally { kept, hidden, removed }
    }
}

impl RedactArguments {
    fn redaction(&self) -> Result<Redaction, JsError> {
        let mut rule = LivingRule::on(day(self.today.as_deref())?);
        rule.within = self.within.unwrap_or(rule.within);
        rule.bare_death = self.bare_death;
        let keep = self.keep.iter().map(|id| bare(id));
        Ok(Redaction::by(rule).with_replacement(self.named_replacement()?).with_keep(keep))
    }

    fn named_replacement(&self) -> Result<Replacement, JsError> {
        let Some(name) = &self.replacement else { return Ok(Replacement::default()) };
        Replacement::ALL.into_iter().find(|one| one.name() == name).ok_or_else(|| {
            let names = Replacement::ALL.map(Replacement::name).join("`, `");
            js_error(format!("unknown replacement `{name}`: expected one of `{names}`"))
        })
    }
}

/// An identifier without its at signs.
pub(crate) fn bare(identifier: &str) -> &str {
    identifier.strip_prefix('@').and_then(|rest| rest.strip_suffix('@')).unwrap_or(identifier)
}

/// Hides the people of a file who may be living, as `elf redact` does.
#[wasm_bindgen]
pub fn redact(bytes: &[u8], options: Option<RedactOptions>) -> Result<RedactedFile, JsError> {
    let options: Option<JsValue> = options.map(Into::into);
    let arguments: RedactArguments = self::options(options.as_ref())?;
    let RedactArguments { rules, encoding, .. } = &arguments;
    let typed = ReadingOptions::new(rules.clone(), encoding.clone(), None).reading()?.read(bytes)?;
    if !typed.document().is_complete() {
        return Err(js_error("reading of the file stopped early, so there is no copy"));
    }
    let plan = Plan::redaction(Survey::of(&typed), &arguments.redaction()?).map_err(js_error)?;
    let extraction = plan.extract().map_err(js_error)?;
    let mut places = extraction.places();
    let mentions = extraction.mentions.iter().map(|mention| {
        let place = places.of_mention(mention);
        PlaceOfMention { line: place.line, path: place.path }
    });
    let doubt = |line: u64, reason: DoubtReason| DoubtMembers {
        line,
        reason: reason.name(),
        about: reason.about().to_owned(),
    };
    let members = RedactedMembers {
        people: Tally::of(plan.counts(RecordKind::Person)),
        families: Tally::of(plan.counts(RecordKind::Family)),
        others: Tally::of(plan.counts(RecordKind::Other)),
        structures: extraction.removed_from_kept(),
        mentions: mentions.collect(),
        unclear: plan.unclear_lines().to_vec(),
        doubts: plan.doubts().iter().map(|one| doubt(one.line, one.reason)).collect(),
    };
    Ok(object_with_bytes(&members, &extraction.octets)?.into())
}
