//! Reads the bytes of a file as a document.

use crate::Document;
use crate::read::escape::{EscapeSource, replace_in_stream};
use crate::read::header::Header;
use crate::read::report::Reporter;
use crate::read::tree::Arena;
use crate::read::tree::build::{Builder, TextFacts};
use crate::read::xref::{Keys, Lookup, RunXrefs};
use elf_base::{Detail, Diagnostic, Place, Rules, Sink, Span, codes};
use elf_octets::{Options, Source, TooLarge};

/// The number of non-blank line strings that are examined to decide whether a file contains lines of ELF at all.
const NO_LINES_AFTER: usize = 100;

/// Reads a whole document under `rules`.
///
/// Invalid content is not an error: problems are reported to `sink`, and the document contains everything that could be
/// read. [`Document::is_complete`] returns whether that is the whole file.
///
/// # Errors
///
/// Returns [`TooLarge`] if the text is longer than 4 GiB.
///
/// ```
/// use elf_base::Rules;
/// use elf_octets::Options;
///
/// let octets = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Elizabeth /Windsor/\n0 TRLR\n";
/// let mut findings = Vec::new();
/// let document = elf_tagged::read(octets, &Rules::DECEMBER_2019, &Options::default(), &mut findings)?;
/// assert!(findings.is_empty() && document.is_complete());
/// let record = document.records().next().expect("one record");
/// assert_eq!((record.xref(), record.tag()), (Some("I1"), "INDI"));
/// # Ok::<(), elf_octets::TooLarge>(())
/// ```
pub fn read<'o>(
    octets: &'o [u8],
    rules: &Rules,
    options: &Options,
    sink: &mut dyn Sink,
) -> Result<Document<'o>, TooLarge> {
    read_with(octets, rules, options, &(), sink)
}

/// Reads a whole document, as [`read`] does. When the header is known, `escapes` determines which escapes the tags
/// preserve.
///
/// # Errors
///
/// Returns [`TooLarge`] if the text is longer than 4 GiB.
///
/// ```
/// use elf_tagged::escape::{EscapeTable, EscapeTypes};
/// use elf_tagged::{Options, Payload, Rules, read_with};
///
/// let octets = b"0 HEAD\n0 NOTE x@#LAB@ y\n0 TRLR\n";
/// let (rules, options) = (&Rules::JANUARY_2019, Options::default());
/// let table = EscapeTable::of_definitions(rules, [("NOTE".into(), EscapeTypes::ALL)], false);
/// let document = read_with(octets, rules, &options, &table, &mut ())?;
/// let note = document.records().next().expect("a record");
/// assert_eq!(note.payload(), Payload::Text("x@#LAB@ y".into()));
/// # Ok::<(), elf_octets::TooLarge>(())
/// ```
pub fn read_with<'o>(
    octets: &'o [u8],
    rules: &Rules,
    options: &Options,
    escapes: &dyn EscapeSource,
    sink: &mut dyn Sink,
) -> Result<Document<'o>, TooLarge> {
    let mut held = BufferedSink::new(sink);
    let source = Source::decode(octets, rules, options, &mut held)?;
    let rules = &source.decision().rules.clone();
    let passage = Passage {
        rules,
        header: Header::new(rules),
        headless: true,
        keys: Keys::default(),
        lookup: &Lookup::Whole,
        number: 0,
        is_whole: true,
        may_have_no_lines: true,
    };
    Ok(read_passage(source, passage, escapes, held).document)
}

/// The facts about a passage that are known before its lines are read. A passage is the whole document, a run of it, or
/// some lines that are read separately.
pub(crate) struct Passage<'p> {
    pub(crate) rules: &'p Rules,
    /// The header of the document, if it is known.
    pub(crate) header: Header,
    /// Whether the first record may be the header.
    pub(crate) headless: bool,
    pub(crate) keys: Keys,
    pub(crate) lookup: &'p Lookup,
    /// The number of the run, from 0.
    pub(crate) number: usize,
    pub(crate) is_whole: bool,
    /// Whether the file may still turn out to have no lines of ELF.
    pub(crate) may_have_no_lines: bool,
}

pub(crate) struct ReadPassage<'o> {
    pub(crate) document: Document<'o>,
    /// Whether the header may still come after this passage.
    pub(crate) headless: bool,
    pub(crate) xrefs: Option<RunXrefs>,
    /// Whether all of the text has been read.
    pub(crate) to_end: bool,
}

/// Reads a passage whose bytes are already decoded. `held` contains the findings from decoding. All functions that read
/// documents call this function.
pub(crate) fn read_passage<'o>(
    source: Source<'o>,
    passage: Passage<'_>,
    escapes: &dyn EscapeSource,
    mut held: BufferedSink<'_>,
) -> ReadPassage<'o> {
    let rules = passage.rules;
    let later = reports_octets_later(rules);
    if !later {
        source.report(None, rules, &mut held);
    }
    let source = replace_escapes(source, rules);
    if passage.may_have_no_lines && !is_lines(&source, rules) {
        held.discard();
        let document = report_no_document(source, passage, held.sink);
        return ReadPassage { document, headless: true, xrefs: None, to_end: false };
    }
    let behind = held.flush_unplaced(later && rules.octets.content);
    let octets = if later { ByteFindings::Later(behind) } else { ByteFindings::Reported };
    read_structures(source, passage, escapes, octets, held.sink)
}

/// Returns whether problems of bytes are reported after the structures have been read. They are reported later if the
/// rules can stop reading, because nothing after the place at which reading stops is reported.
fn reports_octets_later(rules: &Rules) -> bool {
    rules.terminates()
}

/// A sink that holds findings about bytes until it is known that the file has lines. For a picture or a web page, only
/// one diagnostic is reported.
///
/// If there are too many findings to hold, they are passed on to the next sink.
pub(crate) struct BufferedSink<'k> {
    pub(crate) sink: &'k mut dyn Sink,
    waiting: Vec<Diagnostic>,
    waits: bool,
}

impl<'k> BufferedSink<'k> {
    const MOST: usize = 256;

    pub(crate) fn new(sink: &'k mut dyn Sink) -> BufferedSink<'k> {
        BufferedSink { sink, waiting: Vec::new(), waits: true }
    }

    /// Creates a sink that passes on every finding at once. Use such a sink for text that is known to have lines.
    pub(crate) fn unbuffered(sink: &'k mut dyn Sink) -> BufferedSink<'k> {
        BufferedSink { sink, waiting: Vec::new(), waits: false }
    }

    pub(crate) fn discard(&mut self) {
        self.waiting.clear();
    }

    pub(crate) fn flush(&mut self) {
        self.waits = false;
        self.waiting.drain(..).for_each(|diagnostic| self.sink.report(diagnostic));
    }

    /// Passes on the findings that were held. If `later` is true, returns the findings with a place, because reading
    /// may stop before that place.
    pub(crate) fn flush_unplaced(&mut self, later: bool) -> Vec<Diagnostic> {
        let is_kept = |diagnostic: &mut Diagnostic| later && diagnostic.place.is_some();
        let kept = self.waiting.extract_if(.., is_kept).collect();
        self.flush();
        kept
    }
}

/// Whether the problems of bytes have already been reported.
enum ByteFindings {
    /// All findings have been reported.
    Reported,
    /// The findings are reported when it is known where reading ends. The list contains the findings that already
    /// exist.
    Later(Vec<Diagnostic>),
}

impl ByteFindings {
    /// Reports the problems of bytes that have not been reported: those of all of `source`, or of the part before
    /// `end`.
    fn report(self, source: &Source<'_>, end: Option<u32>, rules: &Rules, sink: &mut dyn Sink) {
        let ByteFindings::Later(placed) = self else { return };
        if !placed.is_empty() {
            let end = end.map(|end| source.locator().place(Span::new(end, end)).octet);
            let is_read = |place: Place| end.is_none_or(|end| place.octet < end);
            placed
                .into_iter()
                .filter(|finding| finding.place.is_some_and(is_read))
                .for_each(|finding| sink.report(finding));
        }
        source.report(end, rules, sink);
    }
}

impl Sink for BufferedSink<'_> {
    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.waits {
            return self.sink.report(diagnostic);
        }
        self.waiting.push(diagnostic);
        if self.waiting.len() > BufferedSink::MOST {
            self.flush();
        }
    }

    fn detail(&self) -> Detail {
        self.sink.detail()
    }
}

/// Replaces Unicode escapes in the text, if the rules do so before it is split into lines (O17 §7.2).
fn replace_escapes<'o>(source: Source<'o>, rules: &Rules) -> Source<'o> {
    if !rules.octets.stream_escapes {
        return source;
    }
    match replace_in_stream(source.text()) {
        Some((text, steps)) => source.translate(text, steps),
        None => source,
    }
}

/// Reports that a file is not ELF. Returns an empty document.
fn report_no_document<'o>(source: Source<'o>, passage: Passage<'_>, sink: &mut dyn Sink) -> Document<'o> {
    let Passage { rules, header, headless, number, is_whole, .. } = passage;
    let help = format!("check that this is a GEDCOM or ELF file; it is read as {}", source.decision().used);
    sink.report(Diagnostic::new(codes::NO_LINES, rules, "the file contains no valid line").help(help));
    Document {
        source,
        rules: *rules,
        nodes: Arena::default(),
        made: String::new(),
        header,
        id: Default::default(),
        xrefs: Default::default(),
        complete: false,
        end: None,
        left_out: Default::default(),
        headless,
        number,
        is_whole,
    }
}

/// Reads the structures. Reports the problems of bytes that have not been reported.
fn read_structures<'o>(
    source: Source<'o>,
    passage: Passage<'_>,
    escapes: &dyn EscapeSource,
    octets: ByteFindings,
    sink: &mut dyn Sink,
) -> ReadPassage<'o> {
    let Passage { rules, header, headless, keys, lookup, number, is_whole, .. } = passage;
    let facts = TextFacts {
        complete: source.is_complete(),
        check_characters: source.has_forbidden(),
        feeds_break_payloads: source.feeds_break_payloads(),
        first: headless,
        last: source.is_last(),
        lists_pointers: lookup.lists_pointers(rules, sink.detail()),
    };
    let reporter = Reporter::new(rules, source.locator(), sink);
    let builder = Builder::new(source.text(), rules, reporter, header, escapes, keys, facts);
    let mut built = builder.read_lines(source.line_strings());
    octets.report(&source, built.end, rules, sink);
    if !headless {
        built.header.forget_nodes();
    }
    let (resolution, xrefs) = lookup.resolve(&mut built, &source, rules, sink);
    let document = Document {
        source,
        rules: *rules,
        nodes: built.nodes,
        made: built.made,
        header: built.header,
        id: Default::default(),
        xrefs: resolution,
        complete: built.complete,
        end: built.end,
        left_out: built.left_out,
        headless,
        number,
        is_whole,
    };
    ReadPassage { document, headless: built.headless, xrefs, to_end: built.to_end }
}

/// Reads lines separately from the rest of the document. The lines must not depend on earlier ones, so they must begin
/// with a line that [starts a record](crate::starts_record). Returns the document, and whether the header may be in
/// later lines. Identifiers are not checked and pointers are not resolved.
///
/// The header of the document is given as `known`. If `headless` is true, these lines may contain the header, which is
/// then read again, except for external schemas.
///
/// ```
/// use elf_tagged::{Options, Rules, Source, read, read_apart};
///
/// let octets = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE one\n0 NOTE two\n0 TRLR\n";
/// let document = read(octets, &Rules::WILD, &Options::default(), &mut ())?;
/// let source: &Source<'_> = document.source();
/// let passage = source.passage(4..5);
/// let note = passage.decode(passage.octets(), source.decision(), &Rules::WILD)?;
/// let (part, _) = read_apart(note, &Rules::WILD, document.header(), false, &mut ());
/// assert_eq!(part.records().next().map(|record| record.text()).as_deref(), Some("two"));
/// # Ok::<(), elf_tagged::TooLarge>(())
/// ```
pub fn read_apart<'o>(
    source: Source<'o>,
    rules: &Rules,
    known: &Header,
    headless: bool,
    sink: &mut dyn Sink,
) -> (Document<'o>, bool) {
    let passage = Passage {
        rules,
        header: if headless { Header::new(rules) } else { known.clone() },
        headless,
        keys: Keys::default(),
        lookup: &Lookup::Nothing,
        number: 0,
        is_whole: false,
        may_have_no_lines: false,
    };
    let read = read_passage(source, passage, known.escapes(), BufferedSink::unbuffered(sink));
    (read.document, read.headless)
}

/// Returns whether one of the first hundred line strings is a line. If none is a line, the file is not ELF, and one
/// diagnostic is reported instead of thousands.
fn is_lines(source: &Source<'_>, rules: &Rules) -> bool {
    if rules.terminates() {
        return true;
    }
    let mut seen = 0;
    for span in source.line_strings() {
        let text = Span::of(span, source.text());
        if elf_lines::parse_characters_checked(text, &rules.lines).is_ok() {
            return true;
        }
        if !text.trim_matches([' ', '\t']).is_empty() {
            seen += 1;
        }
        if seen == NO_LINES_AFTER {
            return false;
        }
    }
    // A short file that has only invalid lines is reported line by line.
    seen == 0 || !source.is_last() || !rules.recovers()
}
