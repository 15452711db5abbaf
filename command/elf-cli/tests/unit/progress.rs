//! Counts of octets that are read.

use super::*;

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
