//! Rules that no draft has: each field from one draft or another, as the documentation of `Rules` promises.
//!
//! Files are read by a mixture that follows from their number. Without an edit they come out octet for octet;
//! in runs they are what they are as a whole; and what is written by a mixture and read by the same one has
//! the same structures, or the difference was reported. `ELF_LONG_MIXTURES` asks for more of them
//! (`.ci/long`).

#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and looks at the environment"
)]

use elf_base::rules::{Duplicates, Gedcom70Header, Metadata, XrefErrors};
use elf_base::{Diagnostic, Rules, codes};
use elf_edit::Editor;
use elf_octets::nfc;
use elf_tagged::write::{WriteError, WriteOptions};
use elf_tagged::{Document, Node, Options, Payload, Reader, read};
use elf_tests::generate::{Random, Sort, damage_lines, draft_of, encode_text, join_lines, make_file};

/// Draws each field from one of the presets.
fn mixture(random: &mut Random) -> Rules {
    const DUPLICATES: [Duplicates; 4] =
        [Duplicates::RejectAll, Duplicates::RejectBearers, Duplicates::DropUnused, Duplicates::KeepRecord];
    let mut one = || *random.pick(&Rules::PRESETS).unwrap_or(&Rules::WILD);
    let mut rules = one();
    rules.name = "mixture";
    rules.octets.prescan = one().octets.prescan;
    rules.octets.names = one().octets.names;
    rules.octets.content = one().octets.content;
    rules.octets.blank_lines = one().octets.blank_lines;
    rules.octets.strip_leading = one().octets.strip_leading;
    rules.lines.leading_whitespace = one().lines.leading_whitespace;
    rules.lines.level_zeros = one().lines.level_zeros;
    rules.lines.payload = one().lines.payload;
    rules.lines.delimiters = one().lines.delimiters;
    rules.lines.tags = one().lines.tags;
    rules.lines.lengths_advised = one().lines.lengths_advised;
    // What conforms is among what is read.
    let identifiers = one();
    rules.lines.xref = identifiers.lines.xref;
    rules.lines.conformant_xref = identifiers.lines.conformant_xref;
    rules.tagged.bad_line = one().tagged.bad_line;
    // Unicode escapes are replaced either in the character stream or in payloads.
    let escapes = one();
    rules.tagged.escape = escapes.tagged.escape;
    rules.octets.stream_escapes = escapes.octets.stream_escapes;
    // A character that is barred is written as an escape, which ends as the payload of that draft lets it.
    rules.octets.controls = escapes.octets.controls;
    rules.tagged.xref_errors = one().tagged.xref_errors;
    rules.tagged.metadata = one().tagged.metadata;
    // What says that it is GEDCOM 7 is not read by other rules for it.
    rules.octets.gedcom_7 = match rules.tagged.metadata {
        Metadata::Gedcom70 => Gedcom70Header::Ignore,
        _ => one().octets.gedcom_7,
    };
    rules.tagged.inner_xrefs = one().tagged.inner_xrefs;
    rules.tagged.void_pointer = one().tagged.void_pointer;
    rules.tagged.conc = one().tagged.conc;
    rules.tagged.empty_structures = one().tagged.empty_structures;
    rules.tagged.header_xrefs = one().tagged.header_xrefs;
    rules.tagged.empty_payload = one().tagged.empty_payload;
    rules.tagged.payload_language = one().tagged.payload_language;
    rules.schema.mechanism = one().schema.mechanism;
    rules.schema.default = one().schema.default;
    rules.write = one().write;
    if matches!(rules.tagged.xref_errors, XrefErrors::Options(_)) {
        let option = random.pick(&DUPLICATES).unwrap_or(Duplicates::KeepRecord);
        rules.tagged.xref_errors = XrefErrors::Options(option);
    }
    rules
}

/// Makes a file in the manner of one draft, damaged more often than not.
fn octets(random: &mut Random) -> Vec<u8> {
    let draft = draft_of(random.pick(&Rules::PRESETS).unwrap_or(&Rules::WILD));
    let sort = Sort { draft, own_types: 20, faults: if random.chance(40) { 0 } else { 15 } };
    let mut lines = make_file(random, sort);
    damage_lines(random, sort, &mut lines);
    let text = join_lines(random, sort, &lines);
    encode_text(random, &text)
}

fn open<'o>(octets: &'o [u8], rules: &Rules, sink: &mut dyn elf_base::Sink) -> Document<'o> {
    read(octets, rules, &Options::default(), sink).expect("a small file")
}

/// Returns level, identifier, tag and payload of each structure.
fn structures(document: &Document<'_>) -> Vec<String> {
    document.structures().map(shown).collect()
}

fn shown(node: Node<'_>) -> String {
    let payload = match node.payload() {
        // Where blanks are trimmed an empty payload cannot be written, whether or not it would differ from
        // none.
        Payload::None => String::new(),
        Payload::Text(text) if text.is_empty() => String::new(),
        Payload::Text(text) => format!("{text:?}"),
        Payload::Pointer(id) => format!("@{id}@"),
    };
    format!("{} {:?} {} {payload}", node.with_ancestors().count(), node.xref(), node.tag())
}

/// Fails where lists that are walked from their end are not those that are walked from their start, or what
/// is under structures is not what is in the document.
fn walked(octets: &[u8], rules: &Rules) -> Result<(), String> {
    let document = open(octets, rules, &mut ());
    let reversed = |nodes: Vec<Node<'_>>, from_end: Vec<Node<'_>>| nodes.into_iter().rev().eq(from_end);
    let mut is_same = reversed(document.records().collect(), document.records().rev().collect());
    let mut beneath = 0;
    for node in document.structures() {
        is_same &= reversed(node.substructures().collect(), node.substructures().rev().collect());
        is_same &= node.descendants().all(|other| other.with_ancestors().any(|above| above == node));
        beneath += node.descendants().count();
    }
    let depths: usize =
        document.structures().map(|node| node.with_ancestors().skip(1).filter(is_data).count()).sum();
    (is_same && beneath == depths).then_some(()).ok_or_else(|| "lists differ".to_owned())
}

/// Returns whether a structure above others is none of the header itself.
fn is_data(node: &Node<'_>) -> bool {
    node.document().head().map(Node::id) != Some(node.id())
}

/// Fails where the editor changes octets though nothing was asked of it.
fn unedited(octets: &[u8], rules: &Rules) -> Result<(), String> {
    let document = elf_tagged::read(octets, rules, &Options::default(), &mut ()).expect("a small file");
    let same = Editor::new(&document).finish(&mut ()).expect("nothing was asked for that could fail");
    (*same.octets == *octets).then_some(()).ok_or_else(|| "without an edit it changes".to_owned())
}

/// Fails where the runs of a document are not the whole.
fn in_runs(octets: &[u8], rules: &Rules, size: usize) -> Result<(), String> {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let whole = open(octets, rules, &mut findings);
    // Where a file has no lines at all, the reader looks at the first run only.
    if findings.iter().any(|finding| finding.code == codes::NO_LINES) {
        return Ok(());
    }
    let mut reader = Reader::new(octets, rules, &Options::default()).with_run_size(size);
    let (mut found, mut runs): (Vec<Diagnostic>, Vec<String>) = (Vec::new(), Vec::new());
    while let Some(run) = reader.next_run(&mut found).expect("memory can be read") {
        runs.extend(structures(&run));
    }
    if runs != structures(&whole) {
        return Err(format!("whole {:#?}\nruns {runs:#?}", structures(&whole)));
    }
    let said = |findings: &[Diagnostic]| {
        let said = |one: &Diagnostic| format!("{:?} {} {}", one.place, one.code, one.message);
        let mut said: Vec<String> = findings.iter().map(said).collect();
        said.sort();
        said
    };
    if said(&found) != said(&findings) {
        return Err(format!("whole {:#?}\nruns {:#?}", said(&findings), said(&found)));
    }
    Ok(())
}

/// Fails where what is written is not what is read back, and nothing was reported.
fn written(octets: &[u8], rules: &Rules) -> Result<(), String> {
    let document = open(octets, rules, &mut ());
    // A reading that the rules ended is not written.
    if !document.is_complete() {
        return Ok(());
    }
    let (mut out, mut losses): (Vec<u8>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let options = WriteOptions::new();
    let summary = match elf_tagged::write::write_document(&document, &mut out, rules, &options, &mut losses) {
        // Of a file of which the rules reject every line none is made (docs/readings.md, AMB-30).
        Err(WriteError::Empty) if document.structures().next().is_none() => return Ok(()),
        outcome => outcome.map_err(|error| error.to_string())?,
    };
    let mut findings: Vec<Diagnostic> = Vec::new();
    let again = open(&out, rules, &mut findings);
    if !again.is_complete() {
        return Err(format!("cannot be read to its end {findings:?}\n{}", out.escape_ascii()));
    }
    if summary.losses > 0 || summary.dropped > 0 || !losses.is_empty() {
        return Ok(());
    }
    let head = |document: &Document<'_>| document.head().map_or(0, |head| head.subtree_end().index());
    let records = |document: &Document<'_>| {
        let behind = head(document);
        let records = document.structures().filter(|node| node.id().index() >= behind);
        let plain = |node| nfc(&shown(node).replace("\\r\\n", "\\n").replace("\\r", "\\n")).into_owned();
        records.map(plain).collect::<Vec<_>>()
    };
    let (before, after) = (records(&document), records(&again));
    if before == after {
        return Ok(());
    }
    Err(format!("differs {before:#?}\n{after:#?}\n{}", out.escape_ascii().to_string().replace("\\n", "\n")))
}

#[test]
fn the_laws_hold_by_rules_of_any_mixture() {
    let asked = std::env::var("ELF_LONG_MIXTURES").ok().and_then(|count| count.parse().ok());
    let count: u64 = asked.unwrap_or(1_500);
    let mut faults = Vec::new();
    for seed in 0..count {
        let mut random = Random::new(seed);
        let (rules, octets) = (mixture(&mut random), octets(&mut random));
        let size = 1 + random.below(200);
        let laws = std::panic::catch_unwind(|| {
            [
                ("walked", walked(&octets, &rules)),
                ("unedited", unedited(&octets, &rules)),
                ("in runs", in_runs(&octets, &rules, size)),
                ("written", written(&octets, &rules)),
            ]
        });
        for (law, outcome) in
            laws.unwrap_or_else(|_| [0; 4].map(|_| ("no panic", Err("it panics".to_owned()))))
        {
            if let Err(fault) = outcome {
                let text = octets.escape_ascii().to_string().replace("\\n", "\n");
                faults.push((law, octets.len(), format!("seed {seed}: {rules:?}\n{text}\n{fault}")));
            }
        }
    }
    faults.sort();
    let total = faults.len();
    let of_law = |law: &str| faults.iter().filter(|fault| fault.0 == law).count();
    let counts =
        ["walked", "unedited", "in runs", "written"].map(|law| format!("{law} {}", of_law(law))).join(", ");
    faults.dedup_by_key(|fault| fault.0);
    let shown: String = faults.iter().map(|(law, _, fault)| format!("== {law}: {fault}\n")).collect();
    assert!(total == 0, "{total} faults: {counts}\n{shown}");
}
