//! Reads a file that is in memory: decides its encoding, decodes it, and reports findings. For a file in blocks, see
//! [`TextReader`](crate::TextReader).

use crate::decode;
use crate::decode_buffer::DecodeOptions;
use crate::decoded::{Decoded, DecodedText};
use crate::detection::Detection;
use crate::input_chunk::InputChunk;
use crate::report;
use crate::source::Position;
use crate::survey::Survey;
use crate::units::Units;
use crate::{Encoding, Options, Source, TooLarge};
use elf_base::{Rules, Sink, Span};
use std::borrow::Cow;

impl<'o> Source<'o> {
    /// Decides the encoding of a file, decodes it, and reports all problems of bytes, encodings and line breaks.
    ///
    /// # Errors
    ///
    /// Returns [`TooLarge`] if the text is longer than 4 GiB.
    pub fn read(
        octets: &'o [u8],
        rules: &Rules,
        options: &Options,
        sink: &mut dyn Sink,
    ) -> Result<Source<'o>, TooLarge> {
        let source = Source::decode(octets, rules, options, sink)?;
        source.report(None, &source.decision().rules, sink);
        Ok(source)
    }

    /// Decides the encoding of a file and decodes it, as [`read`](Source::read) does, but does not report problems of
    /// bytes. Call [`report`](Source::report) when you know how far the file is read.
    ///
    /// # Errors
    ///
    /// Returns [`TooLarge`] if the text is longer than 4 GiB.
    pub fn decode(
        octets: &'o [u8],
        rules: &Rules,
        options: &Options,
        sink: &mut dyn Sink,
    ) -> Result<Source<'o>, TooLarge> {
        let detection = Detection::of_file_in_memory(octets, rules, options, sink);
        let position = Position { start: detection.mark, octet: 0, line: 1 };
        let body = &octets[detection.mark..];
        let chunk = InputChunk::whole(body, detection.mark as u64);
        let rules = detection.decision.rules;
        let decoded = detection.decode(chunk, &rules)?;
        Ok(Source::assemble(octets, decoded, Cow::Owned(detection.decision), position, &rules))
    }

    /// Reports problems of bytes and line breaks before the offset `end`, at which reading stopped. If `end` is `None`,
    /// reports those of the whole text. Mixed line breaks are reported last.
    pub fn report(&self, end: Option<u32>, rules: &Rules, sink: &mut dyn Sink) {
        let end = end.map(|end| self.decoded_span(Span::new(end, end)).start);
        report::report(self, self.history(), end, rules, sink);
        let before = self.history().breaks;
        if !self.survey().cr && before.total() == 0 {
            return;
        }
        let here = match end {
            Some(end) => self.breaks_before(end),
            None if self.is_last() => self.line_breaks(),
            None => return,
        };
        let mut breaks = before;
        breaks.add(here);
        report::report_breaks(breaks, rules, sink);
    }
}

impl Detection {
    /// Decodes a chunk as the decision requires, with the fixes that the rules allow.
    pub(crate) fn decode<'o>(
        &self,
        chunk: InputChunk<'o>,
        rules: &Rules,
    ) -> Result<DecodedText<'o>, TooLarge> {
        let used = self.decision.used;
        let units = chunk.octets.len() / Units::of(Some(used)).len();
        if u32::try_from(units).is_err() {
            // A text has at least as many bytes as UTF-16 units (except in CESU-8), so the file is too large even
            // without counting.
            return Err(TooLarge);
        }
        if self.ended {
            let decoded = Decoded { text: Cow::Borrowed(""), irregular: Vec::new(), complete: false };
            return Ok(DecodedText { decoded, survey: Survey::default() });
        }
        let manner = DecodeOptions::from_rules(&rules.octets);
        let mut decoded = decode::decode_chunk(chunk, used, manner);
        let mut survey = Survey::of_text(&decoded.text);
        if manner.repair && used == Encoding::Utf8 && survey.has_c1(&decoded.text) {
            decoded = decode::decode_chunk(chunk, used, DecodeOptions { controls: true, ..manner });
            survey = Survey::of_text(&decoded.text);
        }
        if u32::try_from(decoded.text.len()).is_err() {
            Err(TooLarge)
        } else {
            Ok(DecodedText { decoded, survey })
        }
    }
}
