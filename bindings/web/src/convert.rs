//! `convert`: what `elf convert` does.

use crate::reading::{ReadingOptions, named_encoding, named_rules};
use crate::values::{js_error, object_with_bytes, options};
use elf_base::{Diagnostic, FlatFinding};
use elf_convert::{Convert, ConvertError, LineBreak, WriteOptions};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(typescript_type = "ConvertOptions")]
    pub type ConvertOptions;
    #[wasm_bindgen(typescript_type = "ConvertedFile")]
    pub type ConvertedFile;
}

/// The members of `ConvertOptions`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct ConvertArguments {
    rules: Option<String>,
    from_encoding: Option<String>,
    schema: Option<String>,
    to_rules: Option<String>,
    encoding: Option<String>,
    line_break: Option<String>,
    bom: bool,
    width: Option<u32>,
    partial: bool,
}

/// The members of `ConvertedFile`, except `bytes`.
#[derive(Serialize)]
struct ConvertedMembers<'a> {
    losses: u64,
    complete: bool,
    findings: Vec<FlatFinding<'a>>,
}

impl ConvertArguments {
    fn convert(&self) -> Result<Convert<'static>, JsError> {
        let ConvertArguments { rules, from_encoding, schema, .. } = self;
        let reading = ReadingOptions::new(rules.clone(), from_encoding.clone(), schema.clone()).reading()?;
        let mut writing = WriteOptions::new()
            .with_mark(self.bom.then_some(true))
            .with_width(self.width)
            .with_partial(self.partial);
        if let Some(name) = &self.encoding {
            writing = writing.with_encoding(named_encoding(name)?);
        }
        let mut convert = Convert::new(reading.rules).with_reading(reading.options()).with_writing(writing);
        if let Some(name) = &self.to_rules {
            convert = convert.to(named_rules(name)?);
        }
        if let Some(name) = &self.line_break {
            convert = convert.with_line_break(named_line_break(name)?);
        }
        Ok(convert)
    }
}

fn named_line_break(name: &str) -> Result<LineBreak, JsError> {
    match name {
        "lf" => Ok(LineBreak::Lf),
        "cr" => Ok(LineBreak::Cr),
        "crlf" => Ok(LineBreak::CrLf),
        _ => Err(js_error(format!("unknown line break `{name}`: expected `lf`, `cr` or `crlf`"))),
    }
}

/// Converts a file to another encoding, standard or draft, as `elf convert` does.
#[wasm_bindgen]
pub fn convert(bytes: &[u8], options: Option<ConvertOptions>) -> Result<ConvertedFile, JsError> {
    let options: Option<JsValue> = options.map(Into::into);
    let arguments: ConvertArguments = self::options(options.as_ref())?;
    let mut findings: Vec<Diagnostic> = Vec::new();
    let (output, converted) = arguments.convert()?.convert(bytes, &mut findings).map_err(convert_error)?;
    let members = ConvertedMembers {
        losses: converted.written.losses,
        complete: converted.is_complete(),
        findings: findings.iter().map(FlatFinding::new).collect(),
    };
    Ok(object_with_bytes(&members, &output)?.into())
}

fn convert_error(failure: ConvertError) -> JsError {
    match &failure {
        ConvertError::Ended { finding: Some(finding), .. } => {
            let place = finding.place.map_or_else(String::new, |place| format!(" at line {}", place.line));
            js_error(format!("{failure}: {}{place}", finding.message))
        }
        _ => js_error(failure),
    }
}
