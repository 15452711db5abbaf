//! Runs the vectors against any program, through the protocol of `conformance/protocol.md`.

use crate::answer::{Answer, Finding, FindingClass, layer_of_code};
use crate::notation::tree::Tree;
use crate::vectors::Case;
use crate::vectors::vector::{
    CodesExpect, EncodingExpect, Fact, Form, HeaderExpect, Layer, Line, LinePayload, Outcome, TagType, Vector,
};
use crate::verdict::{self, Expectations};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The longest time for one vector.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A program behind the protocol.
#[derive(Clone, Debug)]
pub struct Program {
    command: Vec<String>,
    /// What it claims to do.
    pub claims: Claims,
}

/// What a program claims to do.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// Its name.
    pub program: String,
    /// Its version.
    pub version: String,
    /// Its drafts.
    pub drafts: Vec<String>,
    /// Its forms, and `header` if its answers have a header.
    pub forms: Vec<String>,
    /// Its settings, by name or as `NAME=VALUE`.
    #[serde(default)]
    pub settings: Vec<String>,
    /// The facts about values that it knows; all if it does not say.
    pub facts: Option<Vec<String>>,
    /// True if it reports violations.
    #[serde(default)]
    pub judges: bool,
    /// True if it goes on after violations from which the draft lets it recover.
    #[serde(default)]
    pub recovers: bool,
    /// True if its findings have the codes of `elf`.
    #[serde(default)]
    pub codes: bool,
    /// Beginnings of identifiers of requirements that it does not claim, each with a reason.
    #[serde(default)]
    pub excluded: BTreeMap<String, String>,
}

/// How a vector came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The answer is the expected one.
    Met,
    /// The answer differs.
    Failed(String),
    /// The program does not claim to do it, for this reason.
    NotClaimed(String),
}

/// The output of a program.
struct Output {
    text: String,
    succeeded: bool,
}

impl Program {
    /// Asks the program behind a command, words separated by blanks, what it claims.
    ///
    /// # Errors
    ///
    /// An error if it does not start or its claims are not in their form.
    pub fn new(command: &str) -> Result<Program, String> {
        let command: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        let output = run(&command, &["claims".to_owned()])?;
        if !output.succeeded {
            return Err(format!("`{} claims` failed", command.join(" ")));
        }
        let claims = serde_json::from_str(&output.text);
        let claims = claims.map_err(|error| format!("the claims of {}: {error}", command.join(" ")))?;
        Ok(Program { command, claims })
    }

    /// Runs a vector, with its files in `folder`.
    pub fn verdict(&self, case: &Case, folder: &Path) -> Verdict {
        if let Some(reason) = self.is_not_claimed(case) {
            return Verdict::NotClaimed(reason);
        }
        let answer = match self.answer(case, folder) {
            Ok(answer) => answer,
            Err(error) => return Verdict::Failed(error),
        };
        if let Some(reason) = answer.not_claimed {
            return Verdict::NotClaimed(reason);
        }
        if let Some(part) = missing_part(&case.vector, &answer) {
            return Verdict::NotClaimed(format!("does not say {part}"));
        }
        let Claims { recovers, codes, .. } = self.claims;
        match verdict::check(case, &answer, Expectations { must_recover: recovers, has_codes: codes }) {
            Ok(()) => Verdict::Met,
            Err(error) => Verdict::Failed(error),
        }
    }

    /// Returns why the program does not claim a vector; `None` if it does.
    fn is_not_claimed(&self, case: &Case) -> Option<String> {
        let Claims { drafts, forms, settings, facts, judges, codes, excluded, .. } = &self.claims;
        let vector = &case.vector;
        let has_form = |name: &str| forms.iter().any(|form| form == name);
        if !drafts.contains(&case.draft) {
            return Some(format!("no draft {}", case.draft));
        }
        if !has_form(vector.form.name()) {
            return Some(format!("no form {}", vector.form.name()));
        }
        if let Some(facts) = facts
            && let Some(fact) = vector.value.keys().find(|fact| !facts.contains(fact))
        {
            return Some(format!("no fact {fact}"));
        }
        let words = vector.settings.words();
        let is_setting = |word: &&String| {
            !settings
                .iter()
                .any(|known| known == *word || word.split_once('=').map(|(name, _)| name) == Some(known))
        };
        if let Some(word) = words.iter().find(is_setting) {
            return Some(format!("no setting {word}"));
        }
        let is_excluded = |(start, _): &(&String, &String)| vector.id.starts_with(start.as_str());
        if let Some((_, reason)) = excluded.iter().find(is_excluded) {
            return Some(reason.clone());
        }
        if matches!(vector.input(), Ok(None)) {
            return Some("no input but structures".to_owned());
        }
        if vector.header != HeaderExpect::default() && vector.written.whole.is_none() && !has_form("header") {
            return Some("no header".to_owned());
        }
        let violates = vector.outcome.is_some_and(|outcome| outcome != Outcome::Conformant);
        if violates && !judges {
            return Some("reports no violations".to_owned());
        }
        (!vector.expects_more_than(*judges, *codes)).then(|| "nothing else is expected".to_owned())
    }

    /// Asks the program about a vector.
    fn answer(&self, case: &Case, folder: &Path) -> Result<Answer, String> {
        let vector = &case.vector;
        let input = vector.input()?.ok_or("expected an input")?;
        let mut answer = self.ask(case, &input, folder, "")?;
        // Two payloads are equal if they have the same canonical spelling.
        if let Some(other) = vector.value.get("equals").map(Fact::word) {
            let second = self.ask(case, other.as_bytes(), folder, "-other")?;
            let canonical = |answer: &Answer| answer.value.get("canonical").cloned();
            if let Some(one) = canonical(&answer) {
                let are_equal = canonical(&second).is_some_and(|two| one == two && one != "none");
                let found = if are_equal { other } else { "something else".to_owned() };
                answer.value.insert("equals".to_owned(), found);
            }
        }
        Ok(answer)
    }

    fn ask(&self, case: &Case, input: &[u8], folder: &Path, suffix: &str) -> Result<Answer, String> {
        let vector = &case.vector;
        let path = folder.join(format!("{}{suffix}.ged", vector.id.replace('/', "-")));
        std::fs::write(&path, input).map_err(|error| format!("{}: {error}", path.display()))?;
        let draft = if case.draft == "dates" { "2019-12" } else { &case.draft };
        let mut words = vec![vector.form.name().to_owned(), draft.to_owned(), path.display().to_string()];
        words.extend(vector.settings.words());
        words.extend(vector.datatype.iter().map(|datatype| format!("datatype={datatype}")));
        let output = run(&self.command, &words)?;
        let mut answer = parse(&output.text, vector)?;
        if !output.succeeded {
            return Err("the program failed".to_owned());
        }
        Tree::resolve_target_types(&mut [&mut answer.metadata, &mut answer.records]);
        Ok(answer)
    }
}

impl Vector {
    /// Returns whether anything is expected that a program can show without judging, or without codes.
    fn expects_more_than(&self, judges: bool, codes: bool) -> bool {
        if codes {
            return true;
        }
        let mut rest = self.clone();
        rest.codes = CodesExpect::default();
        if !judges {
            rest.outcome = None;
        }
        rest.expects_something()
    }
}

/// Returns the part of the expectation that an answer says nothing about.
fn missing_part(vector: &Vector, answer: &Answer) -> Option<String> {
    let (expected, found) = (&vector.encoding, &answer.encoding);
    let is_missing =
        |expected: &Option<String>, found: &Option<String>| expected.is_some() && found.is_none();
    if vector.form == Form::Written {
        return None;
    }
    // A payload that is not a date has no facts.
    let is_text = answer.value.get("lexical").is_some_and(|lexical| lexical == "no");
    if let Some(key) = vector.value.keys().find(|key| !is_text && !answer.value.contains_key(*key)) {
        return Some(format!("the {} of a value", key.replace('_', " ")));
    }
    let parts = [
        (&expected.detected, &found.detected, "which encoding the first bytes show"),
        (&expected.specified, &found.specified, "which encoding the header names"),
        (&expected.because, &found.because, "why it reads in an encoding"),
    ];
    let missing = parts.into_iter().find(|(expected, found, _)| is_missing(expected, found));
    missing.map(|(_, _, part)| part.to_owned())
}

/// Runs a command with more words, and ends it after a time.
fn run(command: &[String], words: &[String]) -> Result<Output, String> {
    let (name, first) = command.split_first().ok_or("expected a command")?;
    let mut child = Command::new(name)
        .args(first)
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot run {name}: {error}"))?;
    let mut stdout = child.stdout.take().ok_or("expected a pipe")?;
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stdout.read_to_end(&mut bytes).map(|_| bytes)
    });
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break status;
        }
        if start.elapsed() > TIMEOUT {
            // It may have ended just now.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("no answer after {} seconds", TIMEOUT.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let bytes = reader.join().map_err(|_| "the reader panicked")?.map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| "expected UTF-8 from the program")?;
    Ok(Output { text, succeeded: status.success() })
}

/// Reads an answer: JSON Lines.
fn parse(text: &str, vector: &Vector) -> Result<Answer, String> {
    let mut answer = Answer::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let mut deserializer = serde_json::Deserializer::from_str(line);
        // Vectors nest as deep as a draft allows.
        deserializer.disable_recursion_limit();
        let value = Value::deserialize(&mut deserializer).map_err(|error| format!("{error} in {line}"))?;
        add(&mut answer, value, vector)?;
    }
    Ok(answer)
}

/// Adds one object of an answer.
fn add(answer: &mut Answer, value: Value, vector: &Vector) -> Result<(), String> {
    if let Some(reason) = value["not_claimed"].as_str() {
        answer.not_claimed = Some(reason.to_owned());
    } else if let Some(summary) = value.get("summary") {
        answer.is_complete = summary["complete"].as_bool();
    } else if value.get("class").is_some() {
        answer.findings.push(finding(&value));
    } else if let Some(octets) = value["written"].as_str() {
        answer.written = Some(Ok(from_hexadecimal(octets)?));
    } else if let Some(reason) = value["refused"].as_str() {
        answer.written.get_or_insert(Err(reason.to_owned()));
    } else {
        match vector.form {
            Form::Encoding => add_encoding(answer, &value["encoding"]),
            Form::Lines => answer.lines.push(line(&value)?),
            Form::Tagged | Form::Typed => add_structures(answer, value)?,
            Form::Value => add_value(answer, &value, vector),
            Form::Schema => add_definitions(answer, &value),
            Form::Dictionary => {
                answer.types.push(TagType { tag: word(&value["tag"]), iris: words(&value["iris"]) })
            }
            Form::Supertypes => answer.supertypes = words(&value["supertypes"]),
            Form::Tokens => answer.tokens = words(&value["tokens"]),
            Form::Written | Form::Serialised => {}
        }
    }
    Ok(())
}

fn finding(value: &Value) -> Finding {
    let code = value["code"].as_str().map(str::to_owned);
    let layer = value["layer"].as_str().and_then(Layer::from_name);
    let layer = layer.or_else(|| code.as_deref().map(layer_of_code));
    let class = match value["class"].as_str() {
        Some("malformed") => FindingClass::Malformed,
        Some("non-conformant") => FindingClass::NonConformant,
        _ => FindingClass::Advice,
    };
    let message =
        format!("{} at line {} ({})", word(&value["class"]), value["line"], word(&value["message"]));
    Finding { code, class, layer, message }
}

fn add_encoding(answer: &mut Answer, value: &Value) {
    let known = |name: &str| value.get(name).map(|found| found.as_str().unwrap_or("none").to_owned());
    answer.encoding = EncodingExpect {
        detected: known("detected"),
        specified: known("specified"),
        used: known("used"),
        because: known("because"),
    };
}

fn line(value: &Value) -> Result<Line, String> {
    let text = |name: &str| value[name].as_str().map(str::to_owned);
    let error = value.get("error").is_some_and(|error| *error != Value::Bool(false));
    Ok(Line {
        line: value["line"].as_u64().ok_or_else(|| format!("expected the number of a line in {value}"))?,
        error,
        level: value["level"].as_u64(),
        xref: text("xref"),
        tag: text("tag"),
        payload: match &value["payload"] {
            Value::String(text) => Some(LinePayload::Text(text.clone())),
            payload => payload["pointer"].as_str().map(|id| LinePayload::Pointer { pointer: id.to_owned() }),
        },
        text: text("text"),
        code: text("error"),
    })
}

fn add_structures(answer: &mut Answer, value: Value) -> Result<(), String> {
    let Some(header) = value.get("header") else { return answer.records.push_json(value) };
    let known = |name: &str| Some(header[name].as_str().unwrap_or("none").to_owned());
    answer.encoding.used = header["encoding"].as_str().map(str::to_owned);
    answer.header = HeaderExpect {
        elf_version: known("elf_version"),
        gedcom_version: known("gedcom_version"),
        language: known("language"),
        schemas: Some(words(&header["schemas"])),
    };
    let metadata = value["metadata"].as_array().cloned().unwrap_or_default();
    metadata.into_iter().try_for_each(|structure| answer.metadata.push_json(structure))
}

/// Adds the facts of a value, as `elf date` prints it. A member that is missing says nothing.
fn add_value(answer: &mut Answer, value: &Value, vector: &Vector) {
    let mut add = |name: &str, fact: Option<String>| {
        answer.value.extend(fact.map(|fact| (name.to_owned(), fact)));
    };
    let yes_or_no = |holds: bool| if holds { "yes" } else { "no" }.to_owned();
    let is_lexical = value["form"] != "text";
    add("lexical", Some(yes_or_no(is_lexical)));
    for (name, member) in [
        ("form", "form"),
        ("modifier", "modifier"),
        ("phrase", "phrase"),
        ("gregorian", "in"),
        ("canonical", "canonical"),
    ] {
        add(name, value.get(member).map(shown));
    }
    let dates = value["dates"].as_array().map(Vec::as_slice).unwrap_or_default();
    for (name, at, member) in [
        ("calendar", 0, "calendar"),
        ("second_calendar", 1, "calendar"),
        ("historical_year", 0, "year"),
        ("logical_year", 0, "logical"),
        ("day", 0, "day"),
    ] {
        add(name, dates.get(at).and_then(|date| date.get(member)).map(shown));
    }
    if value.get("earliest").is_some() {
        let day = |name: &str| value[name].as_i64().map(|day| day.to_string()).unwrap_or_default();
        let days = format!("{}..{}", day("earliest"), day("latest"));
        // An unknown day is `null`, as is an open end.
        let expected =
            vector.value.get("days").map(Fact::word).filter(|expected| expected.replace('?', "") == days);
        add("days", Some(expected.unwrap_or(days)));
    }
    if let Some(findings) = value["findings"].as_array() {
        let is_reported = |names: &[&str]| {
            findings.iter().filter_map(|found| found["name"].as_str()).any(|name| names.contains(&name))
        };
        add("well_formed", Some(yes_or_no(!is_reported(&["date-impossible"]))));
        add("reversed", Some(yes_or_no(is_reported(&["date-reversed", "period-reversed"]))));
        add("recovered", Some(recovered(findings)));
        answer.findings.extend(findings.iter().map(finding));
    }
}

/// Returns the payload that a finding proposes.
fn recovered(findings: &[Value]) -> String {
    let proposed = findings.iter().find_map(|found| found["fix"]["payload"].as_str());
    proposed.unwrap_or("none").to_owned()
}

/// Adds definitions of a schema, as `elf schema` prints them.
fn add_definitions(answer: &mut Answer, value: &Value) {
    let mut add = |definition: String| answer.definitions.push(definition);
    if let Some(definition) = value["definition"].as_str() {
        add(definition.to_owned());
    } else if let Some(prefix) = value["prefix"].as_str() {
        words(&value["iris"]).iter().for_each(|iri| add(format!("PRFX {prefix} {iri}")));
    } else if let Some(types) = value["escapes"].as_str() {
        add(format!("ESC {} {types}", word(&value["tag"])));
    } else if let Some(iri) = value["reference"].as_str() {
        add(format!("SCHMA {iri}"));
    } else if let Some(iri) = value["type"].as_str() {
        if value.get("from").is_some() {
            add(format!("TYPE {iri}"));
        }
        words(&value["supertypes"]).iter().for_each(|supertype| add(format!("ISA {iri} {supertype}")));
        for tag in value["tags"].as_array().into_iter().flatten() {
            add(format!("TAG {} {} = {iri}", word(&tag["tag"]), word(&tag["superstructure"])));
        }
    }
}

fn words(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(word).collect()
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Returns a fact as a word; `none` if it is absent.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn from_hexadecimal(digits: &str) -> Result<Vec<u8>, String> {
    let pair = |at: usize| digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    let bytes: Option<Vec<u8>> = (0..digits.len()).step_by(2).map(pair).collect();
    bytes.ok_or_else(|| "expected hexadecimal digits".to_owned())
}
