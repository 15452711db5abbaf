//! A run that is killed while it writes in place leaves the old file or the new one, whole. `ELF_LONG_KILLS`
//! is the number of runs that are killed.
#![cfg(unix)]

use crate::shell::{elf, run, status, stderr};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The number of runs that are killed where nothing is said.
const KILLS: u64 = 12;

/// Numbers that look chosen at random, the same in every run.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides.max(1)
    }
}

#[test]
fn a_file_in_place_is_the_old_or_the_new_one() {
    let kills = std::env::var("ELF_LONG_KILLS").map_or(KILLS, |count| count.parse().expect("a number"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("in.ged");
    let records =
        (0..30_000).map(|one| format!("0 @I{one}@ INDI\n1 NAME Person /Number {one}/\n1 NOTE a@b\n"));
    let old = format!("0 HEAD\n1 CHAR UTF-8\n{}0 TRLR\n", records.collect::<String>());
    let name = path.to_string_lossy();
    let commands: [&[&str]; 2] = [
        &["check", "--fix", "--in-place", "-q", "--against", "none", &name],
        &["edit", &name, "--in-place", "--set", "@I7@/NAME=Ada"],
    ];
    // What each makes of the file, and how long it takes.
    let whole = commands.map(|args| {
        fs::write(&path, &old).expect("a file");
        let start = Instant::now();
        let ended = run(args);
        assert_eq!(status(&ended), 0, "{}", stderr(&ended));
        (fs::read(&path).expect("a file"), start.elapsed())
    });
    assert!(whole.iter().all(|(new, _)| new != old.as_bytes()));
    let (mut dice, mut olds, mut news) = (Dice(kills), 0, 0);
    for kill in 0..kills {
        let which = usize::from(dice.throw(2) == 1);
        let (new, time) = &whole[which];
        let signal = [Signal::INT, Signal::TERM, Signal::KILL][usize::try_from(kill % 3).expect("small")];
        fs::write(&path, &old).expect("a file");
        let mut child = elf(commands[which])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command runs");
        // Anywhere from its start to a little after its end.
        let micros = u64::try_from(time.as_micros()).expect("a short time");
        std::thread::sleep(Duration::from_micros(dice.throw(micros + micros / 8)));
        let pid = Pid::from_raw(i32::try_from(child.id()).expect("a number of a process")).expect("not 0");
        // One that has ended is a child still, until it is waited for.
        kill_process(pid, signal).expect("the signal is sent");
        child.wait().expect("a child");
        let left = fs::read(&path).expect("a file");
        let is_old = left == old.as_bytes();
        assert!(is_old || left == *new, "{signal:?}, number {kill}: {} octets are neither file", left.len());
        *(if is_old { &mut olds } else { &mut news }) += 1;
        for entry in fs::read_dir(folder.path()).expect("a folder") {
            let entry = entry.expect("an entry");
            if entry.file_name() != "in.ged" {
                // Against this signal nothing helps.
                assert_eq!(signal, Signal::KILL, "number {kill}: {entry:?} lies beside the file");
                assert!(entry.file_name().to_string_lossy().starts_with(".elf-"), "{entry:?}");
                fs::remove_file(entry.path()).expect("it can go");
            }
        }
    }
    // Only so many runs show that some are killed on either side.
    assert!(kills < 100 || olds > 0 && news > 0, "{olds} old, {news} new");
}
