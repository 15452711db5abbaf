//! The cases that the whole-file runner measures.

use crate::case::Case;
use crate::floors::{floor_nodes, floor_split};
use crate::forms::Form;
use elf_base::{Diagnostic, Rules};
use elf_edit::Editor;
use elf_octets::{Encoding, LineStrings, Options, Source};
use elf_schema::ReadOptions;
use elf_tagged::write::{WriteOptions, write_document};
use elf_values::DateValue;
use memchr::memchr_iter;
use std::hint::black_box;
use std::io;

/// The input in memory, with no work done on it: every other case takes as much besides.
pub static LOADED: Case =
    Case { name: "loaded", what: "nothing", form: Form::Gedcom, run: |input| input.len() as u64 };

/// The lines that hold dates, found: the cases of dates take as much besides.
pub static DATE_PAYLOADS: Case =
    Case { name: "date-payloads", what: "lines found, not read", form: Form::Dates, run: date_payloads };

/// Every case of this project, the floors first.
const CASES: &[Case] = &[
    Case {
        name: "floor_split",
        what: "lines split, not validated, not stored",
        form: Form::Gedcom,
        run: |input| {
            black_box(floor_split(input));
            line_count(input)
        },
    },
    Case {
        name: "floor_nodes",
        what: "UTF-8 validated, one 24-octet node a line",
        form: Form::Gedcom,
        run: |input| black_box(floor_nodes(input)).len() as u64,
    },
    Case {
        name: "validated",
        what: "UTF-8 validated, nothing else",
        form: Form::Gedcom,
        run: |input| {
            let text = encoding_rs::UTF_8.decode_without_bom_handling_and_without_replacement(input);
            black_box(text).map_or(0, |text| text.len() as u64)
        },
    },
    Case {
        name: "source",
        what: "elf-octets: decided, decoded, looked through, by the wild rules",
        form: Form::Gedcom,
        run: source_length,
    },
    Case { name: "source-ansel", what: "the same of ANSEL", form: Form::Ansel, run: source_length },
    Case {
        name: "source-accented-ansel",
        what: "the same of ANSEL, a tenth of it accented",
        form: Form::AccentedAnsel,
        run: source_length,
    },
    Case { name: "source-utf-16le", what: "the same of UTF-16LE", form: Form::Utf16Le, run: source_length },
    Case {
        name: "line-strings",
        what: "elf-octets: UTF-8 validated, every line string found, not stored",
        form: Form::Gedcom,
        run: |input| source(input).line_strings().map(black_box).count() as u64,
    },
    Case { name: "lines", what: "elf-lines: every line parsed, not stored", form: Form::Gedcom, run: lines },
    Case {
        name: "tree",
        what: "elf-tagged: decided, decoded, read into a document by the wild rules",
        form: Form::Gedcom,
        run: |input| tree(input, &Rules::WILD),
    },
    Case {
        name: "tree-2019-12",
        what: "the same by the rules of December 2019",
        form: Form::Gedcom,
        run: |input| tree(input, &Rules::DECEMBER_2019),
    },
    Case { name: "runs", what: "elf-tagged: the same, run by run", form: Form::Gedcom, run: runs },
    Case {
        name: "typed",
        what: "elf-schema: the same, every structure typed, by the wild rules",
        form: Form::Gedcom,
        run: typed,
    },
    Case {
        name: "values",
        what: "the same, with every date, age and time held against its grammar",
        form: Form::Gedcom,
        run: values,
    },
    Case {
        name: "dates",
        what: "elf-values: every date of the file read as a value, not stored",
        form: Form::Dates,
        run: dates,
    },
    Case {
        name: "dates-judged",
        what: "the same, and asked for all that can be wrong with it",
        form: Form::Dates,
        run: dates_judged,
    },
    Case { name: "dataset", what: "elf-model: the same as owned data", form: Form::Gedcom, run: dataset },
    Case {
        name: "written",
        what: "elf-tagged: read by the wild rules and written again in UTF-8, to nowhere",
        form: Form::Gedcom,
        run: |input| written(input, Encoding::Utf8),
    },
    Case {
        name: "written-utf-16le",
        what: "the same in UTF-16LE",
        form: Form::Gedcom,
        run: |input| written(input, Encoding::Utf16Le),
    },
    Case {
        name: "written-ascii",
        what: "the same in ASCII, with Unicode escapes",
        form: Form::Gedcom,
        run: |input| written(input, Encoding::Ascii),
    },
    Case {
        name: "written-ansel",
        what: "the same in ANSEL, with Unicode escapes",
        form: Form::Gedcom,
        run: |input| written(input, Encoding::Ansel),
    },
    Case {
        name: "edited",
        what: "elf-tagged: opened by the wild rules, one payload set, put together and read again",
        form: Form::Gedcom,
        run: edited,
    },
    Case {
        name: "tree-ansel",
        what: "the same file in ANSEL, by the wild rules",
        form: Form::Ansel,
        run: |input| tree(input, &Rules::WILD),
    },
    Case {
        name: "tree-utf-16le",
        what: "the same file in UTF-16LE, by the wild rules",
        form: Form::Utf16Le,
        run: |input| tree(input, &Rules::WILD),
    },
    Case {
        name: "tree-crlf",
        what: "the same file with CR LF, by the wild rules",
        form: Form::CrLf,
        run: |input| tree(input, &Rules::WILD),
    },
    Case {
        name: "tree-accented",
        what: "the same file, a tenth of it accented, by the wild rules",
        form: Form::Accented,
        run: |input| tree(input, &Rules::WILD),
    },
    Case {
        name: "tree-accented-ansel",
        what: "that file in ANSEL",
        form: Form::AccentedAnsel,
        run: |input| tree(input, &Rules::WILD),
    },
    Case {
        name: "tree-accented-utf-16le",
        what: "that file in UTF-16LE",
        form: Form::AccentedUtf16Le,
        run: |input| tree(input, &Rules::WILD),
    },
];

/// Every case: those of this project, and the peers where they were built.
pub fn all() -> impl Iterator<Item = &'static Case> {
    #[cfg(feature = "peers")]
    let peers = crate::peers::PEERS;
    #[cfg(not(feature = "peers"))]
    let peers = &[];
    CASES.iter().chain(peers)
}

/// The case of that name.
pub fn named(name: &str) -> Option<&'static Case> {
    all().chain([&LOADED, &DATE_PAYLOADS]).find(|case| case.name == name)
}

fn line_count(input: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', input).count() as u64
}

/// The octets decided and decoded by the rules of December 2019.
fn source(input: &[u8]) -> Source<'_> {
    Source::read(input, &Rules::DECEMBER_2019, &Options::default(), &mut ())
        .expect("measured files are under 4 GiB")
}

/// The octets decided, decoded and looked through by the wild rules; how long the text is.
fn source_length(input: &[u8]) -> u64 {
    let source = Source::read(input, &Rules::WILD, &Options::default(), &mut ());
    black_box(source).expect("measured files are under 4 GiB").text().len() as u64
}

/// Line strings and lines, with no more of `elf-octets` than finds where each line ends.
fn lines(input: &[u8]) -> u64 {
    let text: &str =
        &encoding_rs::UTF_8.decode_without_bom_handling_and_without_replacement(input).unwrap_or_default();
    let rules = &Rules::DECEMBER_2019;
    let line_strings = LineStrings::new(text, &rules.octets);
    let lines =
        line_strings.filter_map(|span| elf_lines::parse_characters_checked(span.of(text), &rules.lines).ok());
    lines.map(black_box).count() as u64
}

/// A whole document. A clean file must have nothing to report, or what is measured is the reporting.
fn tree(input: &[u8], rules: &Rules) -> u64 {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let document = elf_tagged::read(input, rules, &Options::default(), &mut findings);
    let document = black_box(document).expect("measured files are under 4 GiB");
    assert!(
        document.is_complete() && findings.len() <= 1,
        "{:?}",
        findings.iter().take(3).collect::<Vec<_>>()
    );
    document.len() as u64
}

/// A document read run by run.
fn runs(input: &[u8]) -> u64 {
    let mut reader = elf_tagged::Reader::new(input, &Rules::WILD, &Options::default());
    let mut nodes = 0;
    while let Some(run) = reader.next_run(&mut ()).expect("memory is read without faults") {
        nodes += black_box(run).len() as u64;
    }
    nodes
}

/// A whole document with the types of its structures.
fn typed(input: &[u8]) -> u64 {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let typed = elf_schema::read(input, &Rules::WILD, &ReadOptions::default(), &mut findings);
    let typed = black_box(typed).expect("measured files are under 4 GiB");
    assert!(findings.is_empty(), "{:?}", findings.first());
    typed.document().len() as u64
}

/// A whole document with the types of its structures, and what is at fault with its dates, ages and times.
fn values(input: &[u8]) -> u64 {
    let mut findings: Vec<Diagnostic> = Vec::new();
    let options = ReadOptions::default().with_check_values(true);
    let typed = elf_schema::read(input, &Rules::WILD, &options, &mut findings);
    let typed = black_box(typed).expect("measured files are under 4 GiB");
    assert!(findings.is_empty(), "{:?}", findings.first());
    typed.document().len() as u64
}

/// The lines of a file, without their breaks.
fn payloads(input: &[u8]) -> impl Iterator<Item = &str> {
    let text = str::from_utf8(input).unwrap_or_default();
    let mut start = 0;
    memchr_iter(b'\n', input).filter_map(move |end| text.get(std::mem::replace(&mut start, end + 1)..end))
}

/// Payloads of dates, one a line, found and not read.
fn date_payloads(input: &[u8]) -> u64 {
    payloads(input).map(black_box).filter(|payload| !payload.is_empty()).count() as u64
}

/// Dates, read as values.
fn dates(input: &[u8]) -> u64 {
    payloads(input).filter_map(|payload| DateValue::parse(payload).ok()).map(black_box).count() as u64
}

/// Dates, read as values and asked for all that can be wrong with them.
fn dates_judged(input: &[u8]) -> u64 {
    let is_sound =
        |value: &DateValue<'_>| value.dates().all(|date| date.fault().is_none()) && !value.is_reversed();
    let dates = payloads(input).filter_map(|payload| DateValue::parse(payload).ok());
    dates.map(black_box).filter(is_sound).count() as u64
}

/// The owned dataset.
fn dataset(input: &[u8]) -> u64 {
    let dataset = elf_model::read(input, &Rules::WILD, &ReadOptions::default(), &mut ());
    black_box(dataset).expect("measured files are under 4 GiB").structures().count() as u64
}

/// A file with one line changed.
fn edited(input: &[u8]) -> u64 {
    let document = elf_tagged::read(input, &Rules::WILD, &Options::default(), &mut ());
    let document = document.expect("measured files are under 4 GiB");
    let mut editor = Editor::new(&document);
    let path = "INDI/NAME".parse().expect("a path");
    let name = editor.find_one(&path, &mut ()).expect("measured files have names");
    editor.set(name, "Someone /Else/").expect("a name is text");
    let edited = black_box(editor.finish(&mut ())).expect("every encoding has these letters");
    line_count(&edited.octets)
}

/// A whole document, and the file that is written of it; what takes it costs nothing.
fn written(input: &[u8], encoding: Encoding) -> u64 {
    let document = elf_tagged::read(input, &Rules::WILD, &Options::default(), &mut ());
    let document = document.expect("measured files are under 4 GiB");
    let options = WriteOptions::new().with_encoding(encoding);
    let summary = write_document(&document, io::sink(), &Rules::DECEMBER_2019, &options, &mut ());
    summary.expect("a sink takes what is written to it").lines
}
