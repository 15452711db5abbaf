//! Text that waits, in memory and in a file.

use super::*;

#[test]
fn what_waits_comes_out_as_it_went_in() {
    for (size, has_no_file) in [(0, false), (10, false), (3 * IN_MEMORY, false), (3 * IN_MEMORY, true)] {
        let octets: Vec<u8> = (0..=255).cycle().take(size).collect();
        let mut text = WaitingText { has_no_file, ..WaitingText::default() };
        octets.chunks(1 << 10).for_each(|some| text.write_all(some).expect("memory or a file"));
        assert_eq!(text.file.is_some(), size > IN_MEMORY && !has_no_file);
        let mut out = Vec::new();
        text.pass_on(&mut out).expect("a vector");
        assert!(out == octets);
    }
}
