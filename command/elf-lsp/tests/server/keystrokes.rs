//! What a keystroke in a large file costs.

#![allow(clippy::disallowed_methods, reason = "the size of the file is told by the environment")]

use crate::editor::{Editor, able};
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;
use std::time::Duration;

const URI: &str = "untitled:tree";

/// The number of keystrokes that are measured.
const COUNT: u32 = 10;

/// The most processor time of a keystroke.
const MOST: Duration = Duration::from_millis(150);

/// The processor time of this process.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let [seconds, nanoseconds] =
        [time.tv_sec, time.tv_nsec].map(|number| u64::try_from(number).expect("a time"));
    Duration::from_secs(seconds) + Duration::from_nanos(nanoseconds)
}

/// A file of about that many bytes.
fn tree(size: usize) -> String {
    let mut text = "0 HEAD\n1 CHAR UTF-8\n".to_owned();
    for number in 0.. {
        if text.len() > size {
            break;
        }
        text += &format!(
            "0 @I{number}@ INDI\n1 NAME Z\u{f6}e{number} /M\u{fc}ller/\n1 SEX F\n1 BIRT\n2 DATE 3 MAR 1850\n2 PLAC Wien, \u{d6}sterreich\n\
             1 FAMS @F{number}@\n1 NOTE A note of some length, as people write them about their relatives.\n2 CONT and more\n\
             0 @F{number}@ FAM\n1 WIFE @I{number}@\n"
        );
    }
    text + "0 TRLR\n"
}

/// `ELF_LONG_KEYSTROKES` is the size of the file in megabytes. Run it alone, since the processor time is that of all tests.
#[test]
fn a_keystroke_in_a_large_file_is_cheap() {
    let megabytes =
        std::env::var("ELF_LONG_KEYSTROKES").ok().map(|text| text.parse::<usize>().expect("a number"));
    let text = tree(megabytes.map_or(100_000, |megabytes| megabytes * 1_000_000));
    let mut editor = Editor::start(able());
    editor.open_and_wait(URI, &text);
    let at = json!({ "line": text.lines().count() / 2, "character": 2 });
    let before = processor_time();
    for version in 1..=i64::from(COUNT) {
        editor.change(URI, version + 1, json!([{ "range": { "start": at, "end": at }, "text": "X" }]));
        editor.diagnostics(URI, version + 1);
    }
    let each = (processor_time() - before) / COUNT;
    if megabytes.is_some() {
        assert!(each <= MOST, "{each:?} for each keystroke");
    }
}
