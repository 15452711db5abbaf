//! Validates vectors against `conformance/vector.schema.json`.
//!
//! This knows the keywords that the schema uses, and refuses others. `.ci/long` validates with a complete
//! implementation.

use serde_json::{Map, Value};

/// Keywords that do not restrict a value.
const ANNOTATIONS: [&str; 5] = ["$schema", "$defs", "title", "description", "type"];

/// Returns the places of a value that a schema does not allow, each with the reason.
pub fn problems(schema: &Value, value: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    Validator { root: schema }.validate(schema, value, "", &mut problems);
    problems
}

struct Validator<'s> {
    root: &'s Value,
}

impl Validator<'_> {
    fn validate(&self, schema: &Value, value: &Value, place: &str, problems: &mut Vec<String>) {
        let Some(keywords) = schema.as_object() else {
            problems.push(format!("{place}: the schema is not an object"));
            return;
        };
        if keywords.get("type").and_then(Value::as_str).is_some_and(|name| !has_type(value, name)) {
            problems.push(format!("{place}: expected {}, but found {value}", keywords["type"]));
            return;
        }
        for (keyword, argument) in keywords {
            let is_wrong = match keyword.as_str() {
                "$ref" => {
                    let target =
                        argument.as_str().and_then(|path| self.root.pointer(path.trim_start_matches('#')));
                    self.validate(target.unwrap_or(&Value::Null), value, place, problems);
                    false
                }
                "enum" => !argument.as_array().is_some_and(|known| known.contains(value)),
                "oneOf" => self.matches(argument, value) != 1,
                "minimum" => value.as_i64() < argument.as_i64(),
                "minItems" => {
                    value.as_array().map(Vec::len) < argument.as_u64().and_then(|n| n.try_into().ok())
                }
                // The only pattern is that of `id`.
                "pattern" => !value.as_str().is_some_and(is_identifier),
                "required" => {
                    let names = argument.as_array().into_iter().flatten().filter_map(Value::as_str);
                    names.into_iter().any(|name| value.get(name).is_none())
                }
                "items" => {
                    for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.validate(argument, item, &format!("{place}/{number}"), problems);
                    }
                    false
                }
                "properties" => {
                    self.properties(argument, value, place, problems);
                    false
                }
                "additionalProperties" => {
                    value.as_object().is_some_and(|object| has_others(keywords, object))
                }
                name => !ANNOTATIONS.contains(&name),
            };
            if is_wrong {
                problems.push(format!("{place}: {value} violates {keyword}: {argument}"));
            }
        }
    }

    fn properties(&self, known: &Value, value: &Value, place: &str, problems: &mut Vec<String>) {
        for (name, member) in value.as_object().into_iter().flatten() {
            if let Some(schema) = known.get(name) {
                self.validate(schema, member, &format!("{place}/{name}"), problems);
            }
        }
    }

    /// Returns how many of the schemas allow a value.
    fn matches(&self, schemas: &Value, value: &Value) -> usize {
        let allows = |schema: &&Value| {
            let mut problems = Vec::new();
            self.validate(schema, value, "", &mut problems);
            problems.is_empty()
        };
        schemas.as_array().into_iter().flatten().filter(allows).count()
    }
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        _ => false,
    }
}

fn has_others(keywords: &Map<String, Value>, object: &Map<String, Value>) -> bool {
    object.keys().any(|name| keywords.get("properties").is_none_or(|known| known.get(name).is_none()))
}

fn is_identifier(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-';
    text.split_once('/').is_some_and(|(row, number)| {
        !row.is_empty()
            && row.chars().all(is_part)
            && !number.is_empty()
            && number.chars().all(|c| c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_the_schema_does_not_allow_is_found() {
        let path = crate::conformance_folder().join("vector.schema.json");
        let schema = std::fs::read_to_string(path).expect("the schema");
        let schema: Value = serde_json::from_str(&schema).expect("JSON");
        let vector = json!({"id": "A-1/1", "requirements": ["A-1"], "clause": "c", "form": "lines"});
        let with = |name: &str, value: Value| {
            let mut vector = vector.clone();
            vector[name] = value;
            problems(&schema, &json!({"draft": "2019-12", "vector": [vector]})).len()
        };
        assert_eq!(with("input", json!("0 HEAD\n")), 0);
        assert_eq!(
            with("records", json!([{"tag": "A", "substructures": [{"payload": {"pointer": "I"}}]}])),
            0
        );
        for (name, value) in [
            ("id", json!("a/1")),
            ("form", json!("line")),
            ("requirements", json!([])),
            ("outcome", json!(1)),
            ("other", json!("")),
            ("lines", json!([{"line": 0}])),
            ("lines", json!([{"tag": "A"}])),
            ("records", json!([{"tag": "A", "substructures": [{"payload": {"pointed": "I"}}]}])),
        ] {
            assert_ne!(with(name, value.clone()), 0, "{name}: {value}");
        }
    }
}
