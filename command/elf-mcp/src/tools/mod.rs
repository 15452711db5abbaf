//! The tools: one module for each, with its arguments, its answer and what it does.

mod apply;
mod arguments;
mod duplicates;
mod explain;
mod family;
mod file_info;
mod find;
mod findings;
mod kinship;
mod person;
pub(crate) mod places;
mod propose;
mod propose_fact;
mod search;
mod show_lines;
pub(crate) mod statistics;
mod tree;

use crate::error::ToolError;
use crate::session::Session;
use elf_schema::near::Near;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Arc;

/// A tool.
pub(crate) trait AssistantTool {
    /// The name by which it is called.
    const NAME: &'static str;
    /// A name for people.
    const TITLE: &'static str;
    /// What it does, for the assistant.
    const ABOUT: &'static str;
    const EFFECT: Effect;
    type Args: DeserializeOwned + JsonSchema;
    type Answer: Serialize + JsonSchema;

    fn run(session: &mut Session, args: Self::Args) -> Result<Self::Answer, ToolError>;
}

/// What a tool does to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It reads.
    Reads,
    /// It proposes a change, and changes nothing.
    Proposes,
    /// It changes a file.
    Changes,
}

/// A tool in the list of all tools.
pub(crate) struct ToolEntry {
    pub(crate) definition: Tool,
    run: fn(&mut Session, JsonObject) -> Result<Value, ToolError>,
}

impl ToolEntry {
    fn of<T: AssistantTool>() -> ToolEntry {
        let annotations = ToolAnnotations::with_title(T::TITLE)
            .read_only(T::EFFECT != Effect::Changes)
            .destructive(false)
            .idempotent(T::EFFECT == Effect::Reads)
            .open_world(false);
        let mut definition = Tool::new(T::NAME, T::ABOUT, schema_of::<T::Args>(Contract::Input));
        definition.output_schema = Some(schema_of::<T::Answer>(Contract::Output));
        definition.title = Some(T::TITLE.to_owned());
        definition.annotations = Some(annotations);
        ToolEntry { definition, run: call::<T> }
    }

    pub(crate) fn name(&self) -> &str {
        &self.definition.name
    }

    /// Runs the tool.
    pub(crate) fn call(&self, session: &mut Session, arguments: JsonObject) -> Result<Value, ToolError> {
        self.check_names(&arguments)?;
        arguments::check(self.name(), &self.definition.input_schema, &arguments)?;
        (self.run)(session, arguments)
    }

    /// Refuses arguments that the tool does not have: a misspelled condition would be ignored.
    fn check_names(&self, arguments: &JsonObject) -> Result<(), ToolError> {
        let known: Vec<&str> = match self.definition.input_schema.get("properties") {
            Some(Value::Object(properties)) => properties.keys().map(String::as_str).collect(),
            _ => Vec::new(),
        };
        let Some(unknown) = arguments.keys().find(|name| !known.contains(&name.as_str())) else {
            return Ok(());
        };
        let near = Near::of(unknown, known.iter().copied());
        let help = near.help(|| None).unwrap_or_else(|| format!("its arguments are {}", list(&known)));
        Err(ToolError::new(format!("`{}` has no argument `{unknown}`; {help}", self.name())))
    }
}

/// The tools that a session offers.
pub(crate) fn tools(allows_edits: bool) -> Vec<ToolEntry> {
    let mut tools = vec![
        ToolEntry::of::<file_info::FileInfo>(),
        ToolEntry::of::<find::FindPeople>(),
        ToolEntry::of::<person::ShowPerson>(),
        ToolEntry::of::<family::ShowFamily>(),
        ToolEntry::of::<tree::Tree>(),
        ToolEntry::of::<kinship::Kinship>(),
        ToolEntry::of::<places::Places>(),
        ToolEntry::of::<findings::Findings>(),
        ToolEntry::of::<explain::Explain>(),
        ToolEntry::of::<search::Search>(),
        ToolEntry::of::<statistics::Statistics>(),
        ToolEntry::of::<show_lines::ShowLines>(),
        ToolEntry::of::<duplicates::Duplicates>(),
    ];
    if allows_edits {
        tools.extend([
            ToolEntry::of::<propose::ProposeEdits>(),
            ToolEntry::of::<propose_fact::ProposeFact>(),
            ToolEntry::of::<propose::ProposeMerge>(),
            ToolEntry::of::<propose::ProposeReplacement>(),
            ToolEntry::of::<apply::Changes>(),
            ToolEntry::of::<apply::Apply>(),
            ToolEntry::of::<apply::Undo>(),
        ]);
    }
    tools
}

fn call<T: AssistantTool>(session: &mut Session, arguments: JsonObject) -> Result<Value, ToolError> {
    let wrong = |error: serde_json::Error| {
        ToolError::new(format!("the arguments of `{}` do not fit its schema: {error}", T::NAME))
    };
    let args = serde_json::from_value(Value::Object(arguments)).map_err(wrong)?;
    let answer = T::run(session, args)?;
    serde_json::to_value(answer)
        .map_err(|error| ToolError::new(format!("the answer cannot be written: {error}")))
}

/// What a schema describes: what the server accepts, or what it writes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Contract {
    Input,
    Output,
}

fn schema_of<T: JsonSchema>(contract: Contract) -> Arc<JsonObject> {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = false);
    let settings = if contract == Contract::Output { settings.for_serialize() } else { settings };
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut object = match schema.to_value() {
        Value::Object(object) => object,
        // Arguments and answers are structures.
        _ => JsonObject::new(),
    };
    object.remove("title");
    object.remove("description");
    if contract == Contract::Input {
        object.insert("additionalProperties".to_owned(), Value::Bool(false));
        object.entry("properties").or_insert_with(|| Value::Object(JsonObject::new()));
    }
    Arc::new(object)
}

/// Names in a sentence.
fn list(names: &[&str]) -> Cow<'static, str> {
    match names {
        [] => "none".into(),
        names => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ").into(),
    }
}
