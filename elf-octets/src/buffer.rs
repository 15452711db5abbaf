//! A buffer for input that has been read and is still needed.

use std::io::{self, ErrorKind, Read};
use std::ops::Deref;

/// A buffer that is filled at its end and emptied at its front.
///
/// The buffer reuses its memory without filling it with zeros first, as [`Read::read_to_end`] would do. Writing the
/// zeros would take as long as reading.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    /// Dropped bytes come first, then the current bytes, then free space.
    octets: Vec<u8>,
    start: usize,
    end: usize,
}

impl Buffer {
    /// The smallest number of bytes of free space to allocate.
    const LEAST: usize = 1 << 16;

    pub(crate) const fn clear(&mut self) {
        (self.start, self.end) = (0, 0);
    }

    pub(crate) fn drop_front(&mut self, count: usize) {
        self.start = self.end.min(self.start.saturating_add(count));
    }

    pub(crate) fn extend_from_slice(&mut self, more: &[u8]) {
        let end = self.end + more.len();
        match self.octets.get_mut(self.end..end) {
            Some(room) => room.copy_from_slice(more),
            None => {
                self.octets.truncate(self.end);
                self.octets.extend_from_slice(more);
            }
        }
        self.end = end;
    }

    /// Reads `most` bytes, or fewer if the input ends. Returns the number of bytes that were read.
    pub(crate) fn read(&mut self, input: &mut impl Read, most: usize) -> io::Result<usize> {
        // Moving the remaining bytes costs less than reading the dropped bytes did.
        if self.start > self.len() {
            self.octets.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.len());
        }
        let mut count = 0;
        while count < most {
            if self.end == self.octets.len() {
                self.make_room(most - count);
            }
            let length = self.octets.len().min(self.end.saturating_add(most - count));
            // `end` is at most the length of `octets`.
            let room = &mut self.octets[self.end..length];
            match input.read(room) {
                Ok(0) => break,
                Ok(octets) => {
                    let octets = octets.min(room.len());
                    self.end += octets;
                    count += octets;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(count)
    }

    /// Makes space for at most `most` more bytes. If there is free space left, less is made, because the input may end
    /// soon.
    ///
    /// Unlike `read`, this function is not generic. A generic function would be compiled in each crate; without
    /// optimisation, as in debug builds, it would write the zeros one by one.
    #[inline(never)]
    fn make_room(&mut self, most: usize) {
        self.octets.resize(self.end + most.min(self.octets.len().max(Buffer::LEAST)), 0);
    }
}

impl Deref for Buffer {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.octets[self.start..self.end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An input that returns one byte at a time, with an interruption before each byte.
    struct Slow<'o>(&'o [u8], bool);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 { Err(ErrorKind::Interrupted.into()) } else { self.0.read(&mut buffer[..1]) }
        }
    }

    #[test]
    fn what_was_read_and_not_dropped_stands_in_it() {
        let all: Vec<u8> = (0..300_000_u32).map(|at| at.to_le_bytes()[0] ^ at.to_le_bytes()[1]).collect();
        let (mut buffer, mut input, mut read, mut dropped) = (Buffer::default(), &all[..], 0, 0);
        for step in [1, 70_000, 65_536, 3, 200_000, 0, 5] {
            read += buffer.read(&mut input, step).unwrap();
            assert_eq!(buffer[..], all[dropped..read]);
            dropped = (dropped + step / 2 + 2).min(read);
            buffer.drop_front(dropped - (read - buffer.len()));
            assert_eq!(buffer[..], all[dropped..read]);
        }
        assert_eq!(read, all.len());
    }

    #[test]
    fn a_slow_input_is_read_to_its_end() {
        let mut buffer = Buffer::default();
        assert_eq!(buffer.read(&mut Slow(b"abcdef", false), 4).unwrap(), 4);
        assert_eq!(buffer.read(&mut Slow(b"gh", false), usize::MAX).unwrap(), 2);
        assert_eq!(&buffer[..], b"abcdgh");
        assert_eq!(buffer.octets.len(), 4 + Buffer::LEAST);
    }

    #[test]
    fn cleared_room_is_used_again() {
        let mut buffer = Buffer::default();
        buffer.extend_from_slice(b"0123456789");
        buffer.drop_front(4);
        buffer.clear();
        assert!(buffer.is_empty());
        buffer.extend_from_slice(b"abc");
        buffer.extend_from_slice(b"defghijkl");
        assert_eq!(&buffer[..], b"abcdefghijkl");
        buffer.drop_front(100);
        assert!(buffer.is_empty());
    }
}
