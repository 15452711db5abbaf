//! Compares the arguments of a call with the schema of the tool, so that an error names the argument.

use crate::error::ToolError;
use crate::text::field;
use rmcp::model::JsonObject;
use serde_json::Value;
use std::borrow::Cow;

/// Compares arguments with the schema of a tool: their types, ranges and names. A missing argument is left to serde.
pub(super) fn check(tool: &str, schema: &JsonObject, arguments: &JsonObject) -> Result<(), ToolError> {
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, value) in arguments {
        let Some(property) = properties.and_then(|properties| properties.get(name)) else { continue };
        let checked = Checker { root: schema }.check_value(property, &format!("argument `{name}`"), value);
        checked.map_err(|reason| {
            ToolError::new(format!("the arguments of `{tool}` do not fit its schema: {reason}"))
        })?;
    }
    Ok(())
}

struct Checker<'s> {
    root: &'s JsonObject,
}

impl<'s> Checker<'s> {
    /// Compares a value with a schema. Calls itself for the parts of the schema, and no schema of a tool is recursive.
    fn check_value(&self, schema: &'s Value, place: &str, value: &Value) -> Result<(), String> {
        let schema = self.without_reference(schema);
        let variants = self.variants(schema);
        if !variants.is_empty() {
            return self.check_variants(&variants, place, value);
        }
        if let Some(constants) = constants_of(schema) {
            return check_constant(&constants, place, value);
        }
        let types = types_of(schema);
        if !types.is_empty() && !types.iter().any(|name| is_of_type(name, value)) {
            return Err(format!("{place}: expected {}, found {}", self.in_words(schema), kind_of(value)));
        }
        let bounds = ["minimum", "maximum"].map(|bound| schema.get(bound).and_then(Value::as_f64));
        if let Some(number) = value.as_f64()
            && (bounds[0].is_some_and(|least| number < least) || bounds[1].is_some_and(|most| number > most))
        {
            return Err(format!("{place}: expected {}, found {value}", self.in_words(schema)));
        }
        if let (Some(items), Some(values)) = (schema.get("items"), value.as_array()) {
            for (at, item) in values.iter().enumerate() {
                self.check_value(items, &format!("{place}, item {}", at + 1), item)?;
            }
        }
        match value.as_object() {
            Some(members) => self.check_members(schema, place, members),
            None => Ok(()),
        }
    }

    /// Compares the members of an object with the properties of a schema.
    fn check_members(&self, schema: &'s Value, place: &str, members: &JsonObject) -> Result<(), String> {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return Ok(()) };
        let names = || properties.keys().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        for (name, value) in members {
            let Some(property) = properties.get(name) else {
                return Err(format!("{place}: there is no `{}`, only {}", field(name), names()));
            };
            self.check_value(property, &format!("{place}, `{name}`"), value)?;
        }
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        match required.filter_map(Value::as_str).find(|name| !members.contains_key(*name)) {
            Some(name) => Err(format!("{place}: `{name}` is missing")),
            None => Ok(()),
        }
    }

    /// Compares a value with a list of schemas, of which one must fit.
    fn check_variants(&self, variants: &[&'s Value], place: &str, value: &Value) -> Result<(), String> {
        let constants: Option<Vec<Vec<&str>>> = variants.iter().map(|one| constants_of(one)).collect();
        if let Some(constants) = constants {
            return check_constant(&constants.concat(), place, value);
        }
        // Objects that a member with a constant tells apart.
        if let Some((name, _)) = variants.first().and_then(|one| constant_member(one)) {
            let kinds: Vec<&str> =
                variants.iter().filter_map(|one| constant_member(one)).map(|(_, kind)| kind).collect();
            let Some(members) = value.as_object() else {
                return Err(format!("{place}: expected an object, found {}", kind_of(value)));
            };
            let Some(kind) = members.get(name) else { return Err(format!("{place}: `{name}` is missing")) };
            check_constant(&kinds, &format!("{place}, `{name}`"), kind)?;
            let fits = |one: &&&Value| constant_member(one).is_some_and(|(_, of)| kind.as_str() == Some(of));
            return match variants.iter().find(fits) {
                Some(variant) => self.check_members(variant, place, members),
                None => Ok(()),
            };
        }
        let mut reasons = variants.iter().map(|one| self.check_value(one, place, value));
        match reasons.next() {
            Some(Err(first)) if reasons.all(|reason| reason.is_err()) => Err(first),
            _ => Ok(()),
        }
    }

    /// The schemas of which one must fit; none for other schemas.
    fn variants(&self, schema: &'s Value) -> Vec<&'s Value> {
        let lists = ["oneOf", "anyOf"].into_iter().filter_map(|name| schema.get(name)?.as_array());
        lists.flatten().map(|one| self.without_reference(one)).collect()
    }

    fn without_reference(&self, schema: &'s Value) -> &'s Value {
        let name = schema.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix("#/$defs/"));
        let defined = name.and_then(|name| self.root.get("$defs")?.get(name));
        defined.unwrap_or(schema)
    }

    /// The values that a schema allows.
    fn in_words(&self, schema: &'s Value) -> Cow<'static, str> {
        let bounds = ["minimum", "maximum"].map(|bound| schema.get(bound).and_then(Value::as_f64));
        let number = |what: &str| match bounds {
            [Some(least), Some(most)] => format!("{what} from {least} to {most}"),
            [Some(least), None] => format!("{what} of at least {least}"),
            [None, Some(most)] => format!("{what} of at most {most}"),
            [None, None] => what.to_owned(),
        };
        match types_of(schema).first().copied() {
            Some("string") => "a text".into(),
            Some("integer") => number("a whole number").into(),
            Some("number") => number("a number").into(),
            Some("boolean") => "true or false".into(),
            Some("array") => {
                let items = schema.get("items").map(|items| self.without_reference(items));
                match items.and_then(|items| types_of(items).first().copied()) {
                    Some("string") => "a list of texts".into(),
                    _ => "a list".into(),
                }
            }
            _ => "an object".into(),
        }
    }
}

fn check_constant(known: &[&str], place: &str, value: &Value) -> Result<(), String> {
    let found = match value.as_str() {
        Some(text) if known.contains(&text) => return Ok(()),
        Some(text) => format!("`{}`", field(text)),
        None => kind_of(value).to_owned(),
    };
    let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    Err(format!("{place}: expected one of {}, found {found}", known.join(", ")))
}

/// The texts that a schema allows, if it lists them.
fn constants_of(schema: &Value) -> Option<Vec<&str>> {
    if let Some(constant) = schema.get("const") {
        return constant.as_str().map(|text| vec![text]);
    }
    schema.get("enum")?.as_array()?.iter().map(Value::as_str).collect()
}

/// The member of an object whose value is always the same, and that value.
fn constant_member(schema: &Value) -> Option<(&str, &str)> {
    let mut properties = schema.get("properties")?.as_object()?.iter();
    properties.find_map(|(name, property)| Some((name.as_str(), property.get("const")?.as_str()?)))
}

fn types_of(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn is_of_type(name: &str, value: &Value) -> bool {
    match name {
        "integer" => value.is_i64() || value.is_u64(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing (null)",
        Value::Bool(_) => "true or false",
        Value::Number(number) if number.is_f64() => "a number with a fraction",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
