//! Buffers text that is printed later: in memory while it is short, then in a temporary file.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};

/// The number of bytes that stay in memory.
const IN_MEMORY: usize = 1 << 20;

#[derive(Default)]
pub(crate) struct WaitingText {
    memory: Vec<u8>,
    /// The rest of a long text. The file is removed when it is closed.
    file: Option<BufWriter<File>>,
    /// True if no temporary file can be written. Then all text stays in memory.
    has_no_file: bool,
}

impl WaitingText {
    pub(crate) fn copy_to(self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(file) = self.file {
            let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.rewind()?;
            io::copy(&mut file, out)?;
        }
        out.write_all(&self.memory)
    }
}

impl Write for WaitingText {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        if let Some(file) = &mut self.file {
            return file.write(octets);
        }
        self.memory.extend_from_slice(octets);
        if self.memory.len() > IN_MEMORY && !self.has_no_file {
            match tempfile::tempfile() {
                Ok(file) => {
                    let mut file = BufWriter::with_capacity(super::BUFFER, file);
                    file.write_all(&std::mem::take(&mut self.memory))?;
                    self.file = Some(file);
                }
                Err(_) => self.has_no_file = true,
            }
        }
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_comes_out_as_it_went_in() {
        for (size, has_no_file) in [(0, false), (10, false), (3 * IN_MEMORY, false), (3 * IN_MEMORY, true)] {
            let octets: Vec<u8> = (0..=255).cycle().take(size).collect();
            let mut text = WaitingText { has_no_file, ..WaitingText::default() };
            octets.chunks(1 << 10).for_each(|some| text.write_all(some).expect("memory or a file"));
            assert_eq!(text.file.is_some(), size > IN_MEMORY && !has_no_file);
            let mut out = Vec::new();
            text.copy_to(&mut out).expect("a vector");
            assert!(out == octets);
        }
    }
}
