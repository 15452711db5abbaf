//! Shows the progress of long work in one line.

use crate::grouped;

/// The number of bytes that were read up to now.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measure {
    /// The bytes read since the input was last at its start.
    pub read: u64,
    /// The size of the input in bytes; 0 if unknown.
    pub size: u64,
    /// The number of times that reading started again.
    pub again: u64,
    /// The bytes read from all inputs, including repeated reads.
    pub total: u64,
}

/// Returns the progress line: the action, the file number, the amount, and the speed after this
/// time.
pub fn line(doing: &str, files: Option<(usize, usize)>, counts: Measure, millis: u64) -> String {
    let files = files.map_or_else(String::new, |(number, of)| {
        format!(" ({} of {})", grouped(number as u64), grouped(of as u64))
    });
    let Measure { read, size, again, total } = counts;
    if read == 0 {
        return format!("{doing}{files} … {} s", grouped(millis / 1000));
    }
    let again = if again > 0 { format!("pass {}: ", again + 1) } else { String::new() };
    // If a file grows while it is read, its size is the number of bytes read.
    let amount = if size > 0 {
        format!("{} of {} MB", format_megabytes(read), format_megabytes(size.max(read)))
    } else {
        format!("{} MB", format_megabytes(read))
    };
    let speed = u128::from(total) * 1000 / u128::from(millis.max(1));
    let speed = u64::try_from(speed).unwrap_or(u64::MAX);
    format!("{doing}{files} … {again}{amount}, {} MB/s", format_megabytes(speed))
}

/// Formats a number of bytes in megabytes, with one decimal if it is small.
fn format_megabytes(octets: u64) -> String {
    let tenths = octets / 100_000;
    if tenths < 100 { format!("{}.{}", tenths / 10, tenths % 10) } else { grouped(tenths / 10) }
}

/// Shortens a text at its start so that it fits on one line. The end is kept because it changes.
pub fn fitted(text: &str, width: usize) -> String {
    let most = width.saturating_sub(1);
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let rest = text.chars().skip(length - most.saturating_sub(1));
    std::iter::once('…').chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(read: u64, size: u64, again: u64, total: u64) -> Measure {
        Measure { read, size, again, total }
    }

    #[test]
    fn a_line_says_what_how_much_and_how_fast() {
        let cases = [
            (None, measured(0, 0, 0, 0), "checking a.ged … 4 s"),
            (None, measured(0, 300_000_000, 0, 0), "checking a.ged … 4 s"),
            (None, measured(120_000_000, 0, 0, 120_000_000), "checking a.ged … 120 MB, 30 MB/s"),
            (
                Some((3, 1500)),
                measured(120_000_000, 3_000_000_000, 0, 240_000_000),
                "checking a.ged (3 of 1,500) … 120 of 3,000 MB, 60 MB/s",
            ),
            (
                None,
                measured(950_000, 9_900_000, 1, 10_850_000),
                "checking a.ged … pass 2: 0.9 of 9.9 MB, 2.7 MB/s",
            ),
            (None, measured(20_000_000, 10_000_000, 0, 20_000_000), "checking a.ged … 20 of 20 MB, 5.0 MB/s"),
        ];
        for (files, counts, expected) in cases {
            assert_eq!(line("checking a.ged", files, counts, 4000), expected);
        }
    }

    #[test]
    fn a_line_stays_on_one_line() {
        assert_eq!(fitted("checking a.ged … 4 s", 80), "checking a.ged … 4 s");
        assert_eq!(fitted("checking a.ged … 4 s", 11), "…ged … 4 s");
        assert_eq!(fitted("checking a.ged … 4 s", 0), "…");
    }
}
