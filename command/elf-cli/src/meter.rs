//! Counts of what is read, for the line that shows progress.

use elf_report::progress::Measure;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A count of the bytes read, shared by the reader and by the line that shows progress.
#[derive(Clone, Default)]
pub(crate) struct Meter(Arc<MeterCounts>);

/// The counts are only shown: no order among them is needed.
#[derive(Default)]
struct MeterCounts {
    /// The bytes read since the input was last at its start.
    read: AtomicU64,
    /// The size of the input in bytes, 0 while it is unknown.
    size: AtomicU64,
    /// The number of times that the input was read from its start again.
    again: AtomicU64,
    /// The bytes read of all inputs, each time they were read.
    total: AtomicU64,
}

impl Meter {
    /// Counts what is read of `input`, which has `size` bytes, if that is known.
    pub(crate) fn counting<R>(&self, input: R, size: Option<u64>) -> Counting<R> {
        self.0.read.store(0, Ordering::Relaxed);
        self.0.size.store(size.unwrap_or(0), Ordering::Relaxed);
        Counting { input, meter: self.clone() }
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
pub(crate) struct Counting<R> {
    input: R,
    meter: Meter,
}

impl<R> Counting<R> {
    pub(crate) const fn get_ref(&self) -> &R {
        &self.input
    }
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let octets = self.input.read(buffer)?;
        self.meter.add(octets);
        Ok(octets)
    }
}

impl<R: Seek> Seek for Counting<R> {
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
        let mut input = meter.counting(Cursor::new([7; 1000]), Some(1000));
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
