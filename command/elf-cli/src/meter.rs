//! Counts the bytes that are read, for the line of progress.

use elf_report::progress::Measure;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A count of bytes, shared by the reader and the line of progress.
#[derive(Clone, Default)]
pub(crate) struct Meter(Arc<MeterCounts>);

/// The counts are only displayed, so their order across threads does not matter.
#[derive(Default)]
struct MeterCounts {
    /// The bytes read since the input was last restarted.
    read: AtomicU64,
    /// The size of the input in bytes; 0 if unknown.
    size: AtomicU64,
    /// How often the input was restarted.
    again: AtomicU64,
    /// The bytes read from all inputs, in all readings.
    total: AtomicU64,
}

impl Meter {
    /// Wraps `input` so that its bytes are counted. `size` is its size in bytes, if known.
    pub(crate) fn count_reads<R>(&self, input: R, size: Option<u64>) -> CountingReader<R> {
        self.0.read.store(0, Ordering::Relaxed);
        self.0.size.store(size.unwrap_or(0), Ordering::Relaxed);
        CountingReader { input, meter: self.clone() }
    }

    fn add(&self, octets: usize) {
        self.0.read.fetch_add(octets as u64, Ordering::Relaxed);
        self.0.total.fetch_add(octets as u64, Ordering::Relaxed);
    }

    fn start_again(&self) {
        if self.0.read.swap(0, Ordering::Relaxed) > 0 {
            self.0.again.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(crate) fn reset(&self) {
        for count in [&self.0.read, &self.0.size, &self.0.again] {
            count.store(0, Ordering::Relaxed);
        }
    }

    pub(crate) fn measure(&self) -> Measure {
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let counts = &*self.0;
        Measure {
            read: of(&counts.read),
            size: of(&counts.size),
            again: of(&counts.again),
            total: of(&counts.total),
        }
    }
}

/// An input whose bytes are counted.
pub(crate) struct CountingReader<R> {
    input: R,
    meter: Meter,
}

impl<R> CountingReader<R> {
    pub(crate) const fn get_ref(&self) -> &R {
        &self.input
    }
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let octets = self.input.read(buffer)?;
        self.meter.add(octets);
        Ok(octets)
    }
}

impl<R: Seek> Seek for CountingReader<R> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let place = self.input.seek(to)?;
        if place == 0 {
            self.meter.start_again();
        }
        Ok(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn a_meter_counts_each_reading_apart_and_all_together() {
        let meter = Meter::default();
        let mut input = meter.count_reads(Cursor::new([7; 1000]), Some(1000));
        input.rewind().unwrap();
        assert_eq!(meter.measure().again, 0, "nothing was read before it");
        let mut octets = Vec::new();
        input.read_to_end(&mut octets).unwrap();
        input.rewind().unwrap();
        input.by_ref().take(300).read_to_end(&mut octets).unwrap();
        let Measure { read, size, again, total } = meter.measure();
        assert_eq!((read, size, again, total), (300, 1000, 1, 1300));
        meter.reset();
        let Measure { read, size, again, total } = meter.measure();
        assert_eq!((read, size, again, total), (0, 0, 0, 1300));
    }
}
