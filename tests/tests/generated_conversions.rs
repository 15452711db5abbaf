//! Generated files, converted between all rules and encodings: what is written conforms by its rules and says the same
//! when it is read back, or the difference was reported.
//!
//! A sample runs with the other tests; `ELF_LONG_CONVERSIONS` asks for more (`.ci/long`).

#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and looks at the environment"
)]

use elf_base::{Diagnostic, Rules};
use elf_octets::{Encoding, nfc};
use elf_schema::{ReadOptions, Schema, TypedDocument};
use elf_tagged::write::{LineBreak, WriteOptions};
use elf_tagged::{Node, Payload, Piece};
use elf_tests::generate::{Random, Sort, damage, encode, file, join};
use elf_tests::reference::{self, Draft};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Counts of what a document holds; what is missing afterwards has to be reported.
type Inventory = BTreeMap<String, i64>;

/// A conversion, made up from its number.
struct Conversion {
    octets: Vec<u8>,
    from: &'static Rules,
    to: &'static Rules,
    options: WriteOptions,
    schema: Option<Arc<Schema>>,
}

/// Makes one conversion from its seed.
fn conversion(seed: u64) -> Conversion {
    let mut random = Random::new(seed);
    let presets = Rules::PRESETS;
    let from = random.pick(&presets).unwrap_or(&Rules::WILD);
    let to = random.pick(&presets).unwrap_or(&Rules::WILD);
    let faults = if random.chance(60) { 0 } else { 15 };
    let sort = Sort { draft: from.draft, own_types: 35, faults };
    let mut lines = file(&mut random, sort);
    damage(&mut random, sort, &mut lines);
    let text = join(&mut random, sort, &lines);
    let octets = encode(&mut random, &text);
    let encodings = [Encoding::Utf8, Encoding::Ascii, Encoding::Ansel, Encoding::Utf16Le, Encoding::Utf16Be];
    let options = WriteOptions::new()
        .with_encoding(random.pick(&encodings).unwrap_or(Encoding::Utf8))
        .with_line_break(
            random.pick(&[LineBreak::Lf, LineBreak::Cr, LineBreak::CrLf]).unwrap_or(LineBreak::Lf),
        )
        .with_width(random.pick(&[None, None, Some(40)]).flatten());
    let schema = random.chance(10).then(|| Arc::clone(Schema::completed()));
    Conversion { octets, from, to, options, schema }
}

/// Returns where a pointer leads: the tag and payload of the record, since identifiers mean nothing.
fn target(node: Node<'_>) -> String {
    match node.target().filter(|target| target.tag() != "UNDEF") {
        Some(target) => {
            let said = text(&target.text());
            // The record itself is compared elsewhere, whitespace around what it points to included.
            let letters: String = match target.pointer().or_else(|| identifier(said.trim())) {
                Some(_) => "a pointer".to_owned(),
                None => said.chars().filter(|letter| letter.is_alphanumeric()).collect(),
            };
            format!("to {} {letters}", plain_tag(target))
        }
        None => "nowhere".to_owned(),
    }
}

/// Returns the identifier in what looks like a pointer.
fn identifier(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('@')?.strip_suffix('@')?;
    (!inner.is_empty() && !inner.contains(['@', '#'])).then_some(inner)
}

/// Returns a text in the form that all drafts and encodings can hold.
fn text(text: &str) -> String {
    nfc(&text.replace("\r\n", "\n").replace('\r', "\n")).into_owned()
}

/// Returns a tag without what a writer adds to tell one type from another.
fn plain_tag(node: Node<'_>) -> String {
    node.tag().trim_start_matches('_').trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
}

/// Returns the text of a payload in which escapes can be told from text that only looks like them.
fn with_escapes(node: Node<'_>) -> String {
    let mut marked = String::new();
    node.pieces(|piece| match piece {
        Piece::Text(text) => marked.push_str(text),
        Piece::Escape(escape) => {
            // The blank behind it is part of an escape in some drafts.
            let bare = escape.trim_end_matches(' ');
            marked.push_str(&format!("<{bare}>{}", escape.get(bare.len()..).unwrap_or_default()));
        }
        _ => {}
    });
    text(&marked)
}

/// Counts structures with their payloads and where pointers lead, and types of the file's own.
fn inventory(typed: &TypedDocument<'_>, tells_escapes: bool) -> Inventory {
    let mut inventory = Inventory::new();
    let document = typed.document();
    let head = document.head().map(|head| head.id());
    for node in document.structures().filter(|node| !node.is_inserted() && node.tag() != "UNDEF") {
        let in_gedc = node.ancestors().any(|above| {
            above.tag() == "GEDC" && above.superstructure().map(|above| above.id()) == head && head.is_some()
        });
        if in_gedc {
            continue;
        }
        let payload = match node.payload() {
            Payload::None => String::new(),
            Payload::Pointer(_) => format!("pointer {}", target(node)),
            // What leads nowhere may have become text; the loss is counted where it has led somewhere.
            Payload::Text(plain) if identifier(&plain).is_some() => "pointer nowhere".to_owned(),
            Payload::Text(_) if tells_escapes => with_escapes(node),
            Payload::Text(plain) => text(&plain),
        };
        let mut count = |what: String| *inventory.entry(what).or_default() += 1;
        count(format!("{} {} {payload}", node.ancestors().count(), plain_tag(node)));
        if let Some(own) = typed.type_of(node).filter(|iri| iri.contains("e.example")) {
            count(format!("type {own}"));
        }
    }
    inventory
}

/// Says what is wrong with a conversion; `None` where it cannot be judged, as reading ended before the file did.
fn check(conversion: &Conversion) -> Option<Result<(), String>> {
    let Conversion { octets, from, to, options, schema } = conversion;
    let read = ReadOptions::default().with_schema(schema.clone());
    let before = elf_schema::read(octets, from, &read, &mut ()).expect("a small file");
    // Nothing is written where no line is one.
    if !before.document().is_complete() || before.document().is_empty() {
        return None;
    }
    // In the other drafts an escape is whatever reads as one (G11).
    let tells_escapes = [from, to].iter().all(|rules| ["2019-12", "wild"].contains(&rules.name));
    let mut missing = inventory(&before, tells_escapes);
    let document = elf_tagged::read_with(octets, from, &read.octets, &read, &mut ()).expect("a small file");
    let (mut written, mut reports): (Vec<u8>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let converted = elf_schema::convert(document, &read, &mut written, to, options, &mut reports);
    let Ok(summary) = converted else { return Some(Err("it cannot be written".to_owned())) };
    let mut findings: Vec<Diagnostic> = Vec::new();
    let after = elf_schema::read(&written, to, &ReadOptions::default(), &mut findings).expect("a small file");
    // `wild` is no draft to conform to.
    if *to != &Rules::WILD {
        findings.retain(|found| found.class.is_error());
        if !findings.is_empty() || !after.document().is_complete() {
            return Some(Err(format!("not conformant: {:?}", findings.iter().take(2).collect::<Vec<_>>())));
        }
    }
    if let Err(fault) = second_opinion(&written, to) {
        return Some(Err(fault));
    }
    for (what, count) in inventory(&after, tells_escapes) {
        *missing.entry(what).or_default() -= count;
    }
    missing.retain(|_, count| *count > 0);
    let gone: i64 = missing.values().sum();
    // A type that is lost is reported once for all structures of its tag, and each piece of a schema once.
    let about_types = reports.iter().any(|report| matches!(report.code.id(), "E0809" | "E0810"));
    let gone_types: i64 =
        missing.iter().filter(|(what, _)| what.starts_with("type ")).map(|(_, count)| count).sum();
    let gone = if about_types { gone - gone_types } else { gone };
    let reported = i64::try_from(summary.losses + summary.dropped).expect("few");
    if gone > reported {
        return Some(Err(format!("{gone} differ, {reported} are reported: {missing:?}")));
    }
    Some(Ok(()))
}

/// Asks the second reader about what was written for December or January 2019.
fn second_opinion(written: &[u8], to: &Rules) -> Result<(), String> {
    let draft = match to.name {
        "2019-12" => Draft::December2019,
        "2019-01" => Draft::January2019,
        _ => return Ok(()),
    };
    let reading = reference::read(written, draft);
    // With a schema that names no escapes, the product goes by U and D (AMB-54), and pointers to what is no record are
    // advice to it (AMB-41, G09).
    let is_read_otherwise =
        |reason: &str| reason.starts_with("Permitted escapes") || reason.contains("no record");
    let faults: Vec<_> = reading.faults.iter().filter(|fault| !is_read_otherwise(fault.reason)).collect();
    if faults.is_empty() { Ok(()) } else { Err(format!("the second reader says {faults:?}")) }
}

#[test]
fn what_is_written_says_the_same_or_it_is_reported() {
    let asked = std::env::var("ELF_LONG_CONVERSIONS").ok().and_then(|count| count.parse().ok());
    let count: u64 = asked.unwrap_or(600);
    let mut judged = 0;
    let mut shortest: BTreeMap<String, (usize, usize, String)> = BTreeMap::new();
    for seed in 0..count {
        let conversion = conversion(seed);
        let Some(outcome) = check(&conversion) else { continue };
        judged += 1;
        let Err(fault) = outcome else { continue };
        let kind: String =
            fault.chars().take_while(|character| !character.is_ascii_digit()).take(60).collect();
        let kind = format!("{} to {} {kind}", conversion.from.name, conversion.to.name);
        let shown = format!(
            "seed {seed}, {:?}, --schema {}\n{}\n{fault}\n",
            conversion.options.encoding,
            conversion.schema.is_some(),
            conversion.octets.escape_ascii().to_string().replace("\\n", "\\n\n").replace("\\r", "\\r\n")
        );
        let entry = shortest.entry(kind).or_insert_with(|| (0, usize::MAX, String::new()));
        entry.0 += 1;
        if conversion.octets.len() < entry.1 {
            (entry.1, entry.2) = (conversion.octets.len(), shown);
        }
    }
    let show = |(kind, (times, _, shown)): (&String, &(usize, usize, String))| {
        format!("=== {times} times {kind}\n{shown}\n")
    };
    let shown: String = shortest.iter().map(show).collect();
    assert!(shortest.is_empty(), "{} kinds of faults\n{shown}", shortest.len());
    assert!(judged * 2 > count, "only {judged} of {count} conversions are judged");
}
