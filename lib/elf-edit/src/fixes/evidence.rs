//! The octets by which the encoding of an edited file is found out, gathered without holding the file.

use elf_base::{Diagnostic, Rules};
use elf_octets::{Decision, EVIDENCE_LIMIT, Options, decide};

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
