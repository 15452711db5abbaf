//! Archives: what is in them is read, whatever harm they mean.

#![allow(clippy::cast_possible_truncation, reason = "the archives of these tests are small")]

use crate::shell::{elf, json, status, stderr};
use flate2::{Compression, Crc, write::DeflateEncoder, write::GzEncoder};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Output;

const TREE: &str =
    "0 HEAD\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME A\n0 TRLR\n";

/// An entry to be put in an archive.
pub(crate) struct Entry<'e> {
    name: &'e str,
    text: &'e [u8],
    method: u16,
    flags: u16,
    crc: Option<u32>,
}

/// An entry that is packed.
pub(crate) fn packed<'e>(name: &'e str, text: &'e [u8]) -> Entry<'e> {
    Entry { name, text, method: 8, flags: 0, crc: None }
}

fn deflated(text: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).expect("a vector");
    encoder.finish().expect("a vector")
}

/// An archive of those entries.
pub(crate) fn archive(entries: &[Entry<'_>]) -> Vec<u8> {
    let (mut octets, mut list) = (Vec::new(), Vec::new());
    for Entry { name, text, method, flags, crc } in entries {
        let data = if *method == 8 { deflated(text) } else { text.to_vec() };
        let mut sum = Crc::new();
        sum.update(text);
        let mut fields = Vec::new();
        for short in [20, *flags, *method, 0, 0x21] {
            fields.extend(u16::to_le_bytes(short));
        }
        for long in [crc.unwrap_or(sum.sum()), data.len() as u32, text.len() as u32] {
            fields.extend(u32::to_le_bytes(long));
        }
        fields.extend(u16::to_le_bytes(name.len() as u16));
        fields.extend([0, 0]);
        list.extend(b"PK\x01\x02\x14\x00");
        list.extend(&fields);
        list.extend([0; 10]);
        list.extend(u32::to_le_bytes(octets.len() as u32));
        list.extend(name.as_bytes());
        octets.extend(b"PK\x03\x04");
        octets.extend(&fields);
        octets.extend(name.as_bytes());
        octets.extend(data);
    }
    let start = octets.len() as u32;
    octets.extend(&list);
    octets.extend(b"PK\x05\x06\0\0\0\0");
    let count = u16::to_le_bytes(entries.len() as u16);
    octets.extend([count, count].concat());
    octets.extend(u32::to_le_bytes(list.len() as u32));
    octets.extend(u32::to_le_bytes(start));
    octets.extend([0, 0]);
    octets
}

/// Checks files that are in `folder`.
fn check(folder: &Path, files: &[&str]) -> Output {
    let args = [&["check", "--format", "json"], files].concat();
    elf(&args).current_dir(folder).output().expect("the command runs")
}

/// The names of the files that were read.
fn read(output: &Output) -> Vec<String> {
    json(output).iter().filter_map(|line| Some(line["summary"]["file"].as_str()?.to_owned())).collect()
}

#[test]
fn files_in_an_archive_are_read_whatever_the_archive_is_called() {
    let folder = tempfile::tempdir().expect("a folder");
    let stored = Entry { name: "a.ged", text: TREE.as_bytes(), method: 0, flags: 0, crc: None };
    let octets = archive(&[
        packed("z.ged", TREE.as_bytes()),
        stored,
        packed("photo.jpg", b"\xFF\xD8"),
        packed("in/B.GED", TREE.as_bytes()),
        packed("__MACOSX/._a.ged", b"\0\x05"),
    ]);
    for name in ["t.zip", "t.gdz", "t.ged"] {
        fs::write(folder.path().join(name), &octets).expect("a file");
        let output = check(folder.path(), &[name]);
        let expected = ["z.ged", "a.ged", "in/B.GED"].map(|inner| format!("{name}!{inner}"));
        assert_eq!((status(&output), read(&output)), (0, expected.to_vec()), "{}", stderr(&output));
    }
    assert_eq!(read(&check(folder.path(), &["."])).len(), 9);
}

#[test]
fn an_entry_may_be_large() {
    let folder = tempfile::tempdir().expect("a folder");
    let person = |number: u32| {
        format!("0 @I{number}@ INDI\n1 NAME {} /{}/\n", number.wrapping_mul(2_654_435_761), number ^ 0x5555)
    };
    let persons: String = (0..250_000).map(person).collect();
    let text = TREE.replace("0 @I1@ INDI\n1 NAME A\n", &persons);
    assert!(text.len() > 8 << 20);
    let octets = archive(&[packed("large.ged", text.as_bytes()), packed("a.ged", TREE.as_bytes())]);
    fs::write(folder.path().join("t.zip"), octets).expect("a file");
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(text.as_bytes()).expect("a vector");
    fs::write(folder.path().join("t.ged.gz"), gzip.finish().expect("a vector")).expect("a file");
    let output = check(folder.path(), &["t.zip", "t.ged.gz"]);
    assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
    let lines: Vec<_> = json(&output).iter().map(|line| line["summary"]["lines"].as_u64()).collect();
    assert_eq!(lines, [Some(500_006), Some(8), Some(500_006), Some(1_000_020)]);
    assert_eq!(read(&output), ["t.zip!large.ged", "t.zip!a.ged", "t.ged.gz"]);
}

#[test]
fn what_is_wrong_with_an_entry_is_said_and_the_others_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = TREE.as_bytes();
    let bomb = [text, &vec![b'0'; 40 << 20]].concat();
    let cases = [
        (packed("../up.ged", text), "its name leads out of the archive"),
        (packed("a\\..\\..\\up.ged", text), "its name leads out of the archive"),
        (packed("/etc/a.ged", text), "its name refers to a place outside"),
        (packed("C:a.ged", text), "its name refers to a place outside"),
        (packed("a\0b.ged", text), "its name contains control characters"),
        (Entry { flags: 1, ..packed("e.ged", text) }, "it is encrypted"),
        (Entry { method: 99, ..packed("m.ged", text) }, "its compression method is not supported"),
        (Entry { crc: Some(7), ..packed("c.ged", text) }, "checksum mismatch"),
        (packed("FIRST.GED", text), "an earlier entry has the same name"),
        (packed("first.ged", text), "an earlier entry has the same name"),
        (packed("inner.zip", b"PK\x05\x06"), "archives inside archives are not opened"),
        (packed("bomb.ged", &bomb), "it unpacks to more than 200 times its size"),
    ];
    for (entry, reason) in cases {
        let name = entry.name.replace('\\', "/");
        let first = packed("first.ged", text);
        let octets = archive(&[first, entry, packed("last.ged", text)]);
        fs::write(folder.path().join("t.zip"), octets).expect("a file");
        let output = check(folder.path(), &["t.zip"]);
        assert_eq!(status(&output), 2, "{name}");
        let said = stderr(&output);
        assert!(said.contains(reason), "{name}: {said}");
        assert!(
            said.contains(&format!("t.zip!{}", name.split('\0').next().expect("a name"))),
            "{name}: {said}"
        );
        assert_eq!(read(&output), ["t.zip!first.ged", "t.zip!last.ged"], "{name}");
    }
}

#[test]
fn archives_cut_off_anywhere_or_damaged_are_an_error_that_names_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let octets = archive(&[packed("a.ged", TREE.as_bytes()), packed("b.ged", TREE.as_bytes())]);
    for end in 4..octets.len() {
        fs::write(folder.path().join("t.zip"), &octets[..end]).expect("a file");
        let output = check(folder.path(), &["t.zip"]);
        assert_eq!(status(&output), 2, "{end}");
        assert!(stderr(&output).contains("cannot read `t.zip`: "), "{end}: {}", stderr(&output));
    }
    // Each octet of the list and of its end is another.
    for at in octets.len() - 130..octets.len() {
        let mut damaged = octets.clone();
        damaged[at] ^= 0xFF;
        fs::write(folder.path().join("t.zip"), &damaged).expect("a file");
        let output = check(folder.path(), &["t.zip"]);
        assert!(matches!(status(&output), 0..=2) && !stderr(&output).contains("panicked"), "{at}");
    }
}

#[test]
fn no_entry_is_left_out_because_of_how_many_there_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut octets = archive(&[packed("a.ged", TREE.as_bytes()), packed("b.ged", TREE.as_bytes())]);
    let end = octets.len() - 22;
    octets[end + 8] = 1;
    octets[end + 10] = 1;
    fs::write(folder.path().join("t.zip"), &octets).expect("a file");
    let output = check(folder.path(), &["t.zip"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("their number is wrong"), "{}", stderr(&output));
    // More than a record of 16 bits counts, as many programs write it.
    let names: Vec<String> = (0..65_537).map(|number| format!("{number}.jpg")).collect();
    let mut entries: Vec<Entry<'_>> = names.iter().map(|name| packed(name, b"")).collect();
    entries.push(packed("z.ged", TREE.as_bytes()));
    fs::write(folder.path().join("t.zip"), archive(&entries)).expect("a file");
    assert_eq!(read(&check(folder.path(), &["t.zip"])), ["t.zip!z.ged"]);
}

#[test]
fn entries_that_share_their_octets_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let noise: Vec<u8> =
        (0..3000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let names: Vec<String> = (0..50).map(|number| format!("{number}.ged")).collect();
    let mut octets = archive(&names.iter().map(|name| packed(name, &noise)).collect::<Vec<_>>());
    let list =
        u32::from_le_bytes(octets[octets.len() - 6..octets.len() - 2].try_into().expect("four")) as usize;
    let end = octets.len() - 22;
    let first = archive(&[packed("0.ged", &noise)]);
    let start = u32::from_le_bytes(first[first.len() - 6..first.len() - 2].try_into().expect("four"));
    // The first entry, and a list in which all stand.
    let mut shared = first[..start as usize].to_vec();
    shared.extend(&octets[list..end]);
    let tail = octets.len() - 6;
    octets[tail..tail + 4].copy_from_slice(&start.to_le_bytes());
    shared.extend(&octets[end..]);
    fs::write(folder.path().join("t.zip"), &shared).expect("a file");
    let output = check(folder.path(), &["t.zip"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("`t.zip`: its entries overlap"), "{}", stderr(&output));
}

#[test]
fn gzip_files_are_held_to_the_same_limits() {
    let folder = tempfile::tempdir().expect("a folder");
    let gzip = |text: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).expect("a vector");
        encoder.finish().expect("a vector")
    };
    let good = gzip(TREE.as_bytes());
    fs::write(folder.path().join("good.gz"), &good).expect("a file");
    fs::write(folder.path().join("cut.gz"), &good[..good.len() - 5]).expect("a file");
    fs::write(folder.path().join("bomb.gz"), gzip(&vec![b'0'; 40 << 20])).expect("a file");
    fs::write(folder.path().join("padded.gz"), [&good[..], &[0; 600]].concat()).expect("a file");
    fs::write(folder.path().join("two.gz"), [&good[..], &gzip(b"\n")].concat()).expect("a file");
    fs::write(folder.path().join("more.gz"), [&good[..], b"more"].concat()).expect("a file");
    let output = check(folder.path(), &["."]);
    let whole = ["./good.gz", "./padded.gz", "./two.gz"].map(str::to_owned);
    assert_eq!((status(&output), read(&output)), (2, whole.to_vec()));
    assert!(stderr(&output).contains("cut.gz`: the archive is cut off"), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("more.gz`: the data after the end of the archive"),
        "{}",
        stderr(&output)
    );
    assert!(
        stderr(&output).contains("bomb.gz`: it unpacks to more than 200 times its size"),
        "{}",
        stderr(&output)
    );
}
