//! The octets by which the encoding of an edited file is found out, gathered without holding the file.

use elf_base::{Diagnostic, Rules};
use elf_octets::{Decision, EVIDENCE_LIMIT, Options, decide};
use std::io::{self, Read};

/// The number of octets that are read at once.
const BLOCK: usize = 1 << 16;

/// Octets from the start of a file that hold its header, and then those from the first that is not ASCII, as
/// many as are asked for the encoding.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    octets: Vec<u8>,
    /// The number of them up to the first that is not ASCII.
    ascii: Option<usize>,
}

impl Evidence {
    /// Takes the next octets of the file; the first ones are those that hold its header.
    pub(crate) fn add(&mut self, octets: &[u8], is_first: bool) {
        let missing = match self.ascii {
            Some(ascii) => (ascii + EVIDENCE_LIMIT + 1).saturating_sub(self.octets.len()),
            None => match octets.iter().position(|octet| !octet.is_ascii()) {
                Some(at) => {
                    self.ascii = Some(self.octets.len() + at);
                    at.saturating_add(EVIDENCE_LIMIT + 1)
                }
                None if is_first => octets.len(),
                None => 0,
            },
        };
        self.octets.extend_from_slice(octets.get(..missing.min(octets.len())).unwrap_or_default());
    }

    /// The evidence of a file whose first `header` octets hold the header. It is read as far as need be.
    pub(crate) fn read(mut file: impl Read, header: u64) -> io::Result<Evidence> {
        let mut evidence = Evidence::default();
        let mut block = Vec::new();
        let mut next = header.max(1);
        while !evidence.is_all() {
            block.clear();
            if file.by_ref().take(next).read_to_end(&mut block)? == 0 {
                break;
            }
            evidence.add(&block, evidence.octets.is_empty());
            next = BLOCK as u64;
        }
        Ok(evidence)
    }

    fn is_all(&self) -> bool {
        self.ascii.is_some_and(|ascii| self.octets.len() > ascii + EVIDENCE_LIMIT)
    }

    /// Tells whether all octets so far are ASCII.
    pub(crate) const fn is_ascii(&self) -> bool {
        self.ascii.is_none()
    }

    /// The decision that it makes, and what is said of it.
    pub(crate) fn decide(&self, rules: &Rules, options: &Options) -> (Decision, Vec<Diagnostic>) {
        let mut findings: Vec<Diagnostic> = Vec::new();
        let decision = decide(&self.octets, rules, options, &mut findings);
        (decision, findings)
    }
}
