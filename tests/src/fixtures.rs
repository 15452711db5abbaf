//! Fixtures: small files that are right (`ok`) or wrong (`err`) in one layer, each with the expected result of that
//! layer.
//!
//! `fixtures/LAYER/{ok,err}/NAME.ged` is read by the rules in `NAME.txt`. The first line of `NAME.txt` names the
//! clause, the second the rules, and the rest is the snapshot.

use crate::library::tree_of;
use crate::notation::text::escape_text;
use crate::snapshot;
use elf_base::{Diagnostic, Rules, Span};
use elf_octets::{Options, Source};
use elf_schema::{ReadOptions, TypedDocument};
use elf_tagged::Node;
use std::fmt::Write;
use std::path::PathBuf;

/// The layers, starting with bytes.
pub const LAYERS: [&str; 4] = ["octets", "lines", "tagged", "typed"];

/// A fixture.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// The layer to test: one of [`LAYERS`].
    pub layer: &'static str,
    /// True if the file is conformant under its rules.
    pub ok: bool,
    /// The file that is read.
    pub path: PathBuf,
}

impl Fixture {
    /// All fixtures of this crate, in order.
    ///
    /// # Errors
    ///
    /// An error if a folder cannot be read.
    pub fn all_fixtures() -> Result<Vec<Fixture>, String> {
        let mut fixtures = Vec::new();
        for layer in LAYERS {
            for (ok, kind) in [(true, "ok"), (false, "err")] {
                let folder = crate::folder("fixtures").join(layer).join(kind);
                let entries =
                    std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
                let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
                paths.sort();
                paths.retain(|path| path.extension().is_some_and(|extension| extension == "ged"));
                fixtures.extend(paths.into_iter().map(|path| Fixture { layer, ok, path }));
            }
        }
        Ok(fixtures)
    }

    /// The name: layer, kind and file name.
    pub fn name(&self) -> String {
        let kind = if self.ok { "ok" } else { "err" };
        let name = self.path.file_stem().unwrap_or_default().to_string_lossy();
        format!("{}/{kind}/{name}", self.layer)
    }

    /// The bytes of the file.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn octets(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.path).map_err(|error| format!("{}: {error}", self.path.display()))
    }

    /// The rules to read by, from the second line of the snapshot.
    ///
    /// # Errors
    ///
    /// The snapshot names no rules.
    pub fn rules(&self) -> Result<&'static Rules, String> {
        Ok(self.parse_head()?.1)
    }

    /// The clause line and the rules.
    fn parse_head(&self) -> Result<(String, &'static Rules), String> {
        let path = self.snapshot();
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut lines = text.lines();
        let clause = lines.next().filter(|line| line.starts_with("clause: "));
        let rules = lines.next().and_then(|line| line.strip_prefix("rules: ")).and_then(Rules::from_name);
        match (clause, rules) {
            (Some(clause), Some(rules)) => Ok((clause.to_owned(), rules)),
            _ => Err(format!("{}: expected `clause: …` and `rules: …` first", path.display())),
        }
    }

    fn snapshot(&self) -> PathBuf {
        self.path.with_extension("txt")
    }

    /// Reads the file, compares the result of its layer with the snapshot, and checks whether the file is conformant as
    /// its folder says.
    ///
    /// # Errors
    ///
    /// The differences, as a message.
    pub fn check(&self) -> Result<(), String> {
        let (clause, rules) = self.parse_head()?;
        let octets = self.octets()?;
        let mut findings = Vec::new();
        let body = render_layer(self.layer, &octets, rules, &mut findings)?;
        let errors = findings.iter().filter(|found| found.class.is_error()).count();
        if self.ok != (errors == 0) {
            return Err(format!(
                "{} has {errors} errors, and stands in the wrong folder\n{body}",
                self.name()
            ));
        }
        let mut text = format!("{clause}\nrules: {}\n\n{body}", rules.name);
        push_findings(&mut text, &findings);
        snapshot::compare_with_file(&self.snapshot(), &text)
    }
}

/// Renders the result of one layer for a file.
fn render_layer(
    layer: &str,
    octets: &[u8],
    rules: &Rules,
    findings: &mut Vec<Diagnostic>,
) -> Result<String, String> {
    match layer {
        "octets" => {
            let source = source(octets, rules, findings)?;
            Ok(render_octets(&source))
        }
        "lines" => {
            let source = source(octets, rules, findings)?;
            let mut out = String::new();
            for span in source.line_strings() {
                let _ = writeln!(out, "{}", render_line(Span::of(span, source.text()), rules, findings));
            }
            Ok(out)
        }
        "tagged" => {
            let document = elf_tagged::read(octets, rules, &Options::default(), findings);
            let document = document.map_err(|error| error.to_string())?;
            let mut out = String::new();
            for node in document.serialisation_metadata() {
                push_tree(&mut out, node, "HEAD.", &|_| String::new());
            }
            for node in document.metadata() {
                push_tree(&mut out, node, "HEAD ", &|_| String::new());
            }
            for node in document.records() {
                push_tree(&mut out, node, "", &|_| String::new());
            }
            push_end(&mut out, document.is_complete());
            let _ = writeln!(out, "\n{}", tree_of(&document));
            Ok(out)
        }
        "typed" => {
            let typed = elf_schema::read(octets, rules, &ReadOptions::default(), findings);
            let typed = typed.map_err(|error| error.to_string())?;
            let mut out = String::new();
            let kind = |node: Node<'_>| kind(&typed, node);
            for node in typed.metadata() {
                push_tree(&mut out, node, "HEAD ", &kind);
            }
            for node in typed.records() {
                push_tree(&mut out, node, "", &kind);
            }
            push_end(&mut out, typed.document().is_complete());
            Ok(out)
        }
        other => Err(format!("there is no layer {other:?}")),
    }
}

fn source<'o>(octets: &'o [u8], rules: &Rules, findings: &mut Vec<Diagnostic>) -> Result<Source<'o>, String> {
    Source::read(octets, rules, &Options::default(), findings).map_err(|error| error.to_string())
}

fn render_octets(source: &Source<'_>) -> String {
    let decision = source.decision();
    let breaks = source.line_breaks();
    let mut out = String::new();
    let _ = write!(out, "{} because {}", decision.used, decision.because.name());
    if let Some(detected) = decision.detected {
        let by = decision.detected_by.map_or("nothing", elf_octets::DetectedBy::name);
        let _ = write!(out, ", detected {detected} by {by}");
    }
    if let Some(specified) = &decision.specified {
        let _ = write!(out, ", specified `{}`", escape_text(specified));
    }
    let _ = writeln!(out, "\nline breaks: {} lf, {} cr, {} crlf", breaks.lf, breaks.cr, breaks.crlf);
    for span in source.line_strings() {
        let _ = writeln!(out, "\"{}\"", escape_text(Span::of(span, source.text())));
    }
    push_end(&mut out, source.is_complete());
    out
}

fn render_line(text: &str, rules: &Rules, findings: &mut Vec<Diagnostic>) -> String {
    match elf_lines::parse(text, &rules.lines) {
        Ok(line) => {
            let mut out = format!("{}", line.level());
            if let Some(xref) = line.xref() {
                let _ = write!(out, " [{}]", escape_text(xref));
            }
            let _ = write!(out, " {}", line.tag());
            match line.payload() {
                None => {}
                Some(elf_lines::Payload::Text(text)) => {
                    let _ = write!(out, " \"{}\"", escape_text(text));
                }
                Some(elf_lines::Payload::Pointer(id)) => {
                    let _ = write!(out, " ->{}", escape_text(id));
                }
            }
            out
        }
        Err(fault) => {
            let shown = format!("no line: \"{}\": {} at {}", escape_text(text), fault, fault.span.start);
            findings.push(Diagnostic::new(fault.code, rules, fault.message));
            shown
        }
    }
}

/// Appends a structure with its substructures, one line each, indented by depth.
fn push_tree(out: &mut String, root: Node<'_>, prefix: &str, kind: &dyn Fn(Node<'_>) -> String) {
    push_node(out, root, prefix, 0, kind);
    let mut open = vec![root.substructures()];
    while let Some(siblings) = open.last_mut() {
        match siblings.next() {
            Some(node) => {
                push_node(out, node, "", open.len(), kind);
                open.push(node.substructures());
            }
            None => {
                open.pop();
            }
        }
    }
}

fn push_node(
    out: &mut String,
    node: Node<'_>,
    prefix: &str,
    depth: usize,
    kind: &dyn Fn(Node<'_>) -> String,
) {
    let _ = write!(out, "{:width$}{prefix}{}", "", node.tag(), width = 2 * depth);
    if let Some(xref) = node.xref() {
        let _ = write!(out, " [{}]", escape_text(xref));
    }
    match node.payload() {
        elf_tagged::Payload::None => {}
        elf_tagged::Payload::Text(text) => {
            let _ = write!(out, " \"{}\"", escape_text(&text));
        }
        elf_tagged::Payload::Pointer(id) => {
            let lost = if node.target().is_none() { " (nowhere)" } else { "" };
            let _ = write!(out, " ->{}{lost}", escape_text(id));
        }
    }
    if node.is_error() {
        out.push_str(" (error)");
    }
    if node.is_inserted() {
        out.push_str(" (inserted)");
    }
    let _ = writeln!(out, "{}", kind(node));
}

fn kind(typed: &TypedDocument<'_>, node: Node<'_>) -> String {
    let iri = typed.type_of(node).unwrap_or("untyped");
    let short = iri
        .replace("https://terms.fhiso.org/elf/", "elf:")
        .replace("https://gedcom.io/terms/v5.5.1/", "g551:");
    format!(" : {short}")
}

fn push_end(out: &mut String, complete: bool) {
    if !complete {
        out.push_str("(the reading ends here)\n");
    }
}

fn push_findings(out: &mut String, findings: &[Diagnostic]) {
    if !findings.is_empty() {
        out.push('\n');
    }
    for found in findings {
        let _ = write!(out, "{} {}", found.code, found.class);
        if let Some(place) = found.place {
            let _ = write!(
                out,
                " at {}:{}-{}, octet {}",
                place.line, place.column, place.end_column, place.octet
            );
        }
        let _ = write!(out, ": {}", escape_text(&found.message));
        if let Some(help) = &found.help {
            let _ = write!(out, " ({})", escape_text(help));
        }
        out.push('\n');
        for related in &found.related {
            let _ = writeln!(out, "  {} at {}:{}", related.message, related.place.line, related.place.column);
        }
    }
}
