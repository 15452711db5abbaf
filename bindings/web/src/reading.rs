//! How a file is read: rules, encoding and schema, by their names.

use crate::values::js_error;
use elf_base::Rules;
#[cfg(feature = "whole")]
use elf_schema::TypedDocument;
use elf_schema::{Encoding, Options, ReadOptions, Schema};
use serde::Deserialize;
use std::sync::Arc;
use wasm_bindgen::prelude::JsError;

/// The options of everything that reads a file.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct ReadingOptions {
    rules: Option<String>,
    encoding: Option<String>,
    schema: Option<String>,
}

/// How a file is read.
pub(crate) struct Reading {
    pub(crate) rules: &'static Rules,
    encoding: Option<Encoding>,
    schema: Option<Arc<Schema>>,
}

impl ReadingOptions {
    pub(crate) fn new(
        rules: Option<String>,
        encoding: Option<String>,
        schema: Option<String>,
    ) -> ReadingOptions {
        ReadingOptions { rules, encoding, schema }
    }

    pub(crate) fn reading(&self) -> Result<Reading, JsError> {
        Ok(Reading {
            rules: self.rules.as_deref().map(named_rules).transpose()?.unwrap_or(&Rules::WILD),
            encoding: self.encoding.as_deref().map(named_encoding).transpose()?,
            schema: self.schema.as_deref().map(named_schema).transpose()?,
        })
    }
}

impl Reading {
    /// The options for reading, as the command has them.
    pub(crate) fn options(&self) -> ReadOptions<'static> {
        ReadOptions::default()
            .with_octets(Options::default().with_forced(self.encoding))
            .with_schema(self.schema.clone())
            .with_vendor_tags(true)
    }

    /// Reads a file into memory, without its findings.
    #[cfg(feature = "whole")]
    pub(crate) fn read(&self, bytes: &[u8]) -> Result<TypedDocument<'static>, JsError> {
        let typed = elf_schema::read(bytes, self.rules, &self.options(), &mut ()).map_err(js_error)?;
        Ok(typed.into_owned())
    }
}

pub(crate) fn named_rules(name: &str) -> Result<&'static Rules, JsError> {
    Rules::from_name(name).ok_or_else(|| {
        let names = Rules::PRESETS.map(|rules| rules.name).join("`, `");
        js_error(format!("unknown rules `{name}`: expected one of `{names}`"))
    })
}

pub(crate) fn named_encoding(name: &str) -> Result<Encoding, JsError> {
    name.parse().map_err(js_error)
}

fn named_schema(name: &str) -> Result<Arc<Schema>, JsError> {
    match name {
        "completed" => Ok(Arc::clone(Schema::completed())),
        "published" => Ok(Arc::clone(Schema::published())),
        "gedcom-7" => Ok(Arc::clone(Schema::gedcom_7())),
        _ => Err(js_error(format!(
            "unknown schema `{name}`: expected one of `completed`, `published`, `gedcom-7`"
        ))),
    }
}
