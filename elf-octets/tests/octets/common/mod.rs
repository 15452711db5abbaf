//! Parts that the tests share.
#![allow(dead_code, clippy::unwrap_used)]

use elf_base::{Diagnostic, Rules};
use elf_octets::{Encoding, Options, Source, TextReader};
use std::io::Read;

/// Code; octet, line, column and end column; message; excerpt and its column; help.
pub(crate) type Said = (String, Option<(u64, u64, u64, u64)>, String, Option<(String, u64)>, String);

/// The results of reading octets, so that two readings can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) encoding: Encoding,
    pub(crate) because: &'static str,
    pub(crate) complete: bool,
    pub(crate) text: String,
    pub(crate) line_strings: Vec<String>,
    /// The diagnostics, sorted.
    pub(crate) diagnostics: Vec<Said>,
}

impl Reading {
    pub(crate) fn codes(&self) -> Vec<&str> {
        self.diagnostics.iter().map(|(code, ..)| code.as_str()).collect()
    }

    /// The octets at which diagnostics of that code stand.
    pub(crate) fn octets_of(&self, code: &str) -> Vec<u64> {
        self.diagnostics
            .iter()
            .filter(|(other, ..)| other == code)
            .filter_map(|(_, place, ..)| place.map(|(octet, ..)| octet))
            .collect()
    }
}

/// Reads octets as a whole.
pub(crate) fn whole(octets: &[u8], rules: &Rules) -> Reading {
    whole_with(octets, rules, &Options::default())
}

pub(crate) fn whole_with(octets: &[u8], rules: &Rules, options: &Options) -> Reading {
    let mut sink: Vec<Diagnostic> = Vec::new();
    let source = Source::read(octets, rules, options, &mut sink).unwrap();
    let line_strings = source.line_strings().map(|span| span.of(source.text()).to_owned()).collect();
    Reading {
        encoding: source.decision().used,
        because: source.decision().because.name(),
        complete: source.is_complete(),
        text: source.text().to_owned(),
        line_strings,
        diagnostics: sorted(sink),
    }
}

/// Reads octets in blocks, from an input that hands them out as `input` does.
pub(crate) fn streamed(input: impl Read, block: usize, rules: &Rules, options: &Options) -> Reading {
    let mut sink: Vec<Diagnostic> = Vec::new();
    let mut reader = TextReader::new(input, rules, options).with_block_size(block);
    let mut text = String::new();
    let mut line_strings = Vec::new();
    let mut complete = true;
    while let Some(source) = reader.next_block(&mut sink).unwrap() {
        text.push_str(source.text());
        line_strings.extend(source.line_strings().map(|span| span.of(source.text()).to_owned()));
        complete = source.is_complete();
    }
    let decision = reader.decision().unwrap();
    Reading {
        encoding: decision.used,
        because: decision.because.name(),
        complete,
        text,
        line_strings,
        diagnostics: sorted(sink),
    }
}

/// Reads octets in blocks of whole records, the last one first.
pub(crate) fn by_records(input: impl Read, block: usize, rules: &Rules, options: &Options) -> Reading {
    let mut reader = TextReader::new(input, rules, options).with_block_size(block).by_records(starts_record);
    let mut blocks = Vec::new();
    while let Some(block) = reader.next_block().unwrap() {
        blocks.push(block);
    }
    let mut sources = Vec::new();
    for block in blocks.iter().rev() {
        let mut found: Vec<Diagnostic> = Vec::new();
        let source = block.source(&mut found).unwrap();
        sources.push((source, found));
    }
    sources.reverse();
    let end = sources.iter().position(|(source, _)| source.is_last()).unwrap();
    sources.truncate(end + 1);
    let texts = sources.iter().map(|(source, _)| source.text());
    let strings = |source: &Source<'_>| -> Vec<String> {
        source.line_strings().map(|span| span.of(source.text()).to_owned()).collect()
    };
    let (last, _) = sources.last().unwrap();
    Reading {
        encoding: last.decision().used,
        because: last.decision().because.name(),
        complete: last.is_complete(),
        text: texts.collect(),
        line_strings: sources.iter().flat_map(|(source, _)| strings(source)).collect(),
        diagnostics: sorted(sources.into_iter().flat_map(|(_, found)| found).collect()),
    }
}

/// A line at level 0, for all that this layer knows.
pub(crate) fn starts_record(line: &str, _: &Rules) -> bool {
    line.trim_start_matches([' ', '\t']).starts_with("0 ")
}

fn sorted(sink: Vec<Diagnostic>) -> Vec<Said> {
    let mut all: Vec<Said> = sink
        .into_iter()
        .map(|diagnostic| {
            let place =
                diagnostic.place.map(|place| (place.octet, place.line, place.column, place.end_column));
            let excerpt =
                diagnostic.excerpt.map(|excerpt| (excerpt.text.into_string(), excerpt.first_column));
            let help = diagnostic.help.unwrap_or_default().into_owned();
            (diagnostic.code.id().to_owned(), place, diagnostic.message.into_owned(), excerpt, help)
        })
        .collect();
    all.sort();
    all
}

/// An input that hands out its octets in pieces that end at the given offsets.
pub(crate) struct Pieces<'o> {
    octets: &'o [u8],
    ends: Vec<usize>,
    at: usize,
}

impl<'o> Pieces<'o> {
    pub(crate) fn new(octets: &'o [u8], ends: &[usize]) -> Pieces<'o> {
        Pieces { octets, ends: ends.to_vec(), at: 0 }
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let end = self.ends.iter().copied().find(|end| *end > self.at).unwrap_or(self.octets.len());
        let count = end.min(self.octets.len()).saturating_sub(self.at).min(buffer.len());
        buffer[..count].copy_from_slice(&self.octets[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}
