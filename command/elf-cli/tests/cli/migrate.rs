//! `elf convert` from one standard to another.

use crate::archives::{archive, packed};
use crate::shell::{file, json, run, run_with, status, stderr, stdout};
use std::io::Read;

/// A file of GEDCOM 5.5.1 with one of everything that GEDCOM 7.0 says otherwise.
const PLAIN: &[u8] =
    b"0 HEAD\n1 CHAR UTF-8\n1 SOUR TREES\n1 SUBM @U1@\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n\
    1 FILE trees.ged\n0 @I1@ INDI\n1 NAME Ada /L/\n2 TYPE birth\n1 BIRT\n2 DATE @#DJULIAN@ 30 JAN 1648/49\n\
    2 AGE CHILD\n2 SOUR an old book\n3 TEXT at sea\n1 NOTE @N1@\n1 RIN 7\n0 @N1@ NOTE a@@b\n1 CONT @@c\n\
    0 @U1@ SUBM\n1 NAME Zoe\n0 TRLR\n";

fn seven() -> Vec<u8> {
    let output = run_with(&["convert", "--to-rules", "gedcom-7", "-o", "-", "-"], PLAIN);
    assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
    output.stdout
}

#[test]
fn gedcom_7_is_written_and_comes_back() {
    let seven = seven();
    let checked = run_with(&["check", "--rules", "gedcom-7", "--against", "7.0", "-"], &seven);
    assert_eq!(status(&checked), 0, "{}", stdout(&checked));
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(place("plain.ged"), PLAIN).expect("a file");
    std::fs::write(place("seven.ged"), &seven).expect("a file");
    for rules in ["gedcom-5.5.1", "2019-01", "declarative", "wild"] {
        let args = ["convert", "--to-rules", rules, "-o", &place("back.ged"), &place("seven.ged")];
        let output = run(&args);
        assert_eq!((status(&output), stderr(&output).as_str()), (0, ""), "{rules}");
        let differences = run(&["diff", &place("plain.ged"), &place("back.ged")]);
        assert_eq!(status(&differences), 0, "{rules}: {}", stdout(&differences));
    }
}

/// The schema `published`, which the drafts have, has no types for most events; read by it, nothing would say
/// what is under them.
#[test]
fn what_no_draft_has_a_type_for_comes_back_by_each() {
    let seven =
        b"0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 NAME Ada\n1 BURI\n2 DATE 44 BCE\n3 PHRASE the Ides\n\
        2 AGE > 8y\n3 PHRASE child\n1 BAPL\n2 STAT INFANT\n3 DATE 27 MAR 2022\n0 TRLR\n";
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(place("seven.ged"), seven).expect("a file");
    for rules in ["2019-12", "2019-01", "declarative"] {
        let to_draft = ["convert", "--to-rules", rules, "-o", &place("draft.ged"), &place("seven.ged")];
        assert_eq!(status(&run(&to_draft)), 0, "{rules}");
        let back = ["convert", "--rules", rules, "--to-rules", "gedcom-7", "-o"];
        let output = run(&[&back[..], &[&place("back.ged"), &place("draft.ged")]].concat());
        assert_eq!(status(&output), 0, "{rules}: {}", stderr(&output));
        let differences = run(&["diff", &place("seven.ged"), &place("back.ged")]);
        assert_eq!(status(&differences), 0, "{rules}: {}", stdout(&differences));
    }
}

#[test]
fn a_file_of_gedcom_7_stays_one_unless_rules_are_named() {
    let seven = seven();
    let output = run_with(&["convert", "-o", "-", "-"], &seven);
    assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
    assert_eq!(output.stdout, seven);
    let output = run_with(&["convert", "--to-rules", "gedcom-5.5.1", "-o", "-", "-"], &seven);
    assert!(stdout(&output).contains("2 VERS 5.5.1\n"), "{}", stdout(&output));
}

#[test]
fn losses_stand_where_they_stood() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("out.ged").display().to_string();
    let input = b"0 HEAD\n1 CHAR UTF-8\n0 @F1@ FAM\n1 HUSB @I9@\n1 MARR\n0 TRLR\n";
    let output =
        run_with(&["convert", "--to-rules", "gedcom-7", "--format", "json", "-o", &place, "-"], input);
    let lines = json(&output);
    let found: Vec<_> =
        lines.iter().filter_map(|line| Some((line["code"].as_str()?, line["line"].as_u64()?))).collect();
    assert_eq!((status(&output), found), (1, vec![("E0820", 4)]));
    assert_eq!(lines.last().map(|line| &line["summary"]["losses"]), Some(&1.into()));
    // What only the encoding of the output lacks is told with the record that it is in.
    let input = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 NAME \u{4E2D}\n0 TRLR\n";
    let args = [
        "convert",
        "--to-rules",
        "gedcom-5.5.1",
        "--encoding",
        "ANSEL",
        "--format",
        "json",
        "-o",
        &place,
        "-",
    ];
    let output = run_with(&args, input.as_bytes());
    let lines = json(&output);
    // What is added to the header, and lost nowhere, is no matter here.
    let losses = lines.iter().filter(|line| line["code"] != "E0821");
    let found: Vec<_> = losses.filter_map(|line| line["line"].as_u64()).collect();
    assert_eq!(found, [5], "{}", stdout(&output));
}

#[test]
fn archives_of_gedcom_7_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("all.gdz").display().to_string();
    let output =
        run(&["convert", "--to-rules", "gedcom-7", "-o", &place, &file("family.ged"), "--allow-loss"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let facts = run(&["info", &place]);
    assert!(stdout(&facts).contains("gedcom.ged"), "{}", stdout(&facts));
    let checked = run(&["check", "--against", "7.0", &place]);
    assert_eq!(status(&checked), 0, "{}", stdout(&checked));
    let output = run(&["convert", "--to-rules", "2019-12", "-o", &place, &file("family.ged")]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("`.gdz` archive must contain GEDCOM 7.0"), "{}", stderr(&output));
}

/// A file of GEDCOM 7.0 that links to a picture in its archive, to one that is not there, and to the web.
const LINKED: &[u8] = b"0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @O1@ OBJE\n1 FILE media/a%20b.jpg\n2 FORM image/jpeg\n\
    1 FILE https://example.org/c.jpg\n2 FORM image/jpeg\n0 TRLR\n";

/// The entries of an archive of that name: their names and octets.
fn entries(place: &str) -> Vec<(String, Vec<u8>)> {
    let open = || std::fs::File::open(place).expect("an archive");
    let unpack = |entry: elf_archive::ArchiveEntry| {
        let mut octets = Vec::new();
        entry.open(open()).and_then(|mut entry| entry.read_to_end(&mut octets)).expect("octets");
        (entry.name().to_owned(), octets)
    };
    elf_archive::entries(open()).expect("a list").into_iter().map(unpack).collect()
}

#[test]
fn files_of_an_archive_are_carried_over_octet_for_octet() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    let picture: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let all = [packed("media/a b.jpg", &picture), packed("gedcom.ged", LINKED), packed("x/", b"")];
    std::fs::write(place("in.gdz"), archive(&all)).expect("a file");
    let carried = |place: &str| {
        let entries = entries(place);
        assert_eq!(
            entries.iter().map(|(name, _)| &**name).collect::<Vec<_>>(),
            ["gedcom.ged", "media/a b.jpg", "x/"]
        );
        assert_eq!(entries[1].1, picture);
    };
    let output = run(&["convert", "-o", &place("out.gdz"), &place("in.gdz")]);
    assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
    carried(&place("out.gdz"));
    let output = run(&["convert", "--out-dir", &place("out"), &place("in.gdz")]);
    assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
    carried(&place("out/in.gdz"));
    // Where nothing but the structures can be written, the rest is a loss.
    for args in
        [&["-o", &*place("out.ged")][..], &["--to-rules", "gedcom-5.5.1", "--out-dir", &place("plain")]]
    {
        let output = run(&[&["convert", "--format", "json"], args, &[&*place("in.gdz")]].concat());
        let lines = json(&output);
        let codes: Vec<_> = lines.iter().filter_map(|line| line["code"].as_str()).collect();
        let has_loss = codes.iter().filter(|code| **code != "E0821").eq([&"E0822"]);
        assert!(has_loss && status(&output) == 1, "{}", stdout(&output));
        assert_eq!(lines.last().map(|line| &line["summary"]["losses"]), Some(&1.into()));
    }
    assert!(std::fs::exists(place("plain/in.gdz/gedcom.ged")).is_ok_and(|is_there| is_there));
}

#[test]
fn a_medium_of_an_archive_is_none_of_its_structures_whatever_it_is_called() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    let other = b"0 HEAD\n1 CHAR ASCII\n0 TRLR\n";
    let all = [packed("x.ged", other), packed("gedcom.ged", LINKED), packed("in/y.ged", other)];
    std::fs::write(place("in.gdz"), archive(&all)).expect("a file");
    let output =
        run(&["convert", "--to-rules", "gedcom-5.5.1", "--out-dir", &place("out"), &place("in.gdz")]);
    assert!(stderr(&output).contains("2 files of the archive are not written, such as `x.ged`"));
    let written = std::fs::read_dir(folder.path().join("out/in.gdz")).expect("a folder");
    let names: Vec<_> = written.map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(names, ["gedcom.ged"]);
}

#[test]
fn what_an_archive_lacks_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    let zeros = vec![0; 20 << 20];
    let all = [packed("gedcom.ged", LINKED), packed("media/a b.jpg", &zeros), packed("../b.jpg", b"b")];
    std::fs::write(place("in.gdz"), archive(&all)).expect("a file");
    let found = |input: &str| {
        let output = run(&["convert", "--format", "json", "-o", &place("out.gdz"), input]);
        assert_eq!(status(&output), 1, "{}", stderr(&output));
        assert_eq!(entries(&place("out.gdz")).len(), 1);
        let lines = json(&output);
        lines.iter().filter_map(|line| Some(line["message"].as_str()?.to_owned())).collect::<Vec<_>>()
    };
    let messages = found(&place("in.gdz"));
    assert!(messages.len() == 2 && messages[0].contains("more than 200 times"), "{messages:?}");
    assert!(messages[1].contains("leads out of the archive"), "{messages:?}");
    std::fs::write(place("in.ged"), LINKED).expect("a file");
    assert_eq!(found(&place("in.ged")), ["a link refers to `media/a b.jpg`, which is not in the archive"]);
}

#[test]
fn the_structures_of_an_archive_are_found_by_their_name_or_as_the_only_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    let media = |folder: &'static str| [format!("{folder}media/a b.jpg"), format!("{folder}notes.txt")];
    let [beside, within] = [media(""), media("trees/of me/")];
    // A file that is linked to may be one of structures, too.
    let cases: [(&str, &[String; 2], Option<&str>); 4] = [
        ("gedcom.ged", &beside, Some("other.ged")),
        ("GEDCOM.GED", &beside, None),
        ("family.ged", &beside, None),
        ("trees/of me/GEDCOM.GED", &within, None),
    ];
    for (name, [picture, text], other) in cases {
        let mut all = vec![packed(picture, b"picture"), packed(name, LINKED), packed(text, b"text")];
        all.extend(other.map(|other| packed(other, b"0 HEAD\n0 TRLR\n")));
        std::fs::write(place("in.gdz"), archive(&all)).expect("a file");
        let output = run(&["convert", "-o", &place("out.gdz"), &place("in.gdz")]);
        assert_eq!((status(&output), stderr(&output).as_str()), (0, ""), "{name}");
        let output = run(&["convert", "--out-dir", &place("out"), &place("in.gdz")]);
        assert_eq!(status(&output), 0, "{name}: {}", stderr(&output));
        for made in ["out.gdz", "out/in.gdz"] {
            let entries = entries(&place(made));
            let names: Vec<&str> = entries.iter().map(|(name, _)| &**name).collect();
            let expected = ["gedcom.ged", "media/a b.jpg", "notes.txt"].into_iter().chain(other);
            assert_eq!(names, expected.collect::<Vec<_>>(), "{name} {made}");
        }
        std::fs::remove_dir_all(place("out")).expect("a folder");
    }
}

#[test]
fn of_several_files_in_a_gedzip_archive_the_one_that_is_named_takes_the_media_along() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    let all = [
        packed("one.ged", LINKED),
        packed("two.ged", LINKED),
        packed("media/a b.jpg", b"jpeg"),
        packed("notes.txt", b"text"),
        packed("media/scans.zip", b"zip"),
    ];
    std::fs::write(place("in.gdz"), archive(&all)).expect("a file");
    let output = run(&["convert", "-o", &place("out.gdz"), &place("in.gdz")]);
    let (one, two) = (place("in.gdz!one.ged"), place("in.gdz!two.ged"));
    let wanted =
        format!("it contains several files, but no `gedcom.ged`: name one of them, `{one}` or `{two}`");
    assert!(stderr(&output).contains(&wanted), "{}", stderr(&output));

    let output = run(&["convert", "-o", &place("out.gdz"), &one]);
    assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
    let names: Vec<String> = entries(&place("out.gdz")).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["gedcom.ged", "media/a b.jpg", "notes.txt", "media/scans.zip"]);

    // Two files have no archive of their own, and the media are not silently left after.
    let output = run(&["convert", "--out-dir", &place("out"), &place("in.gdz")]);
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    assert!(stderr(&output).contains("3 files of the archive are not written, such as `media/a b.jpg`"));
    assert!(folder.path().join("out/in.gdz/two.ged").exists());
}

#[test]
fn an_archive_among_the_media_stays_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    let all = [
        packed("gedcom.ged", LINKED),
        packed("media/a b.jpg", b"jpeg"),
        packed("notes.txt", b"text"),
        packed("media/scans.zip", b"zip"),
    ];
    std::fs::write(place("in.gdz"), archive(&all)).expect("a file");
    assert_eq!(status(&run(&["check", &place("in.gdz")])), 0);
    let output = run(&["convert", "--out-dir", &place("out"), &place("in.gdz")]);
    assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
    let names: Vec<String> = entries(&place("out/in.gdz")).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["gedcom.ged", "media/a b.jpg", "notes.txt", "media/scans.zip"]);
}

#[test]
fn two_files_of_gedcom_7_are_compared_by_its_types() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    let text = |name: &str| format!("0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 NO {name}\n0 TRLR\n");
    std::fs::write(place("a.ged"), text("MARR")).expect("a file");
    std::fs::write(place("b.ged"), text("DIV")).expect("a file");
    let lines = json(&run(&["diff", "--format", "json", &place("a.ged"), &place("b.ged")]));
    assert_eq!(lines[0]["a"]["type"], "https://gedcom.io/terms/v7/NO", "{lines:?}");
}

#[test]
fn each_link_that_leads_to_no_file_is_reported_at_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    let file = b"0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @O1@ OBJE\n1 FILE no%20a.jpg\n2 FORM image/jpeg\n\
        1 FILE media/b.jpg\n2 FORM image/jpeg\n1 FILE file:///c:/x.jpg\n2 FORM image/jpeg\n\
        1 FILE no%20a.jpg\n2 FORM image/jpeg\n0 TRLR\n";
    let all = [packed("gedcom.ged", file), packed("media/b.jpg", b"b"), packed("x/../c.jpg", b"c")];
    std::fs::write(place("in.gdz"), archive(&all)).expect("a file");
    let output = run(&["convert", "--format", "json", "-o", &place("out.gdz"), &place("in.gdz")]);
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    let lines = json(&output);
    let found =
        |line: &serde_json::Value| Some((line["message"].as_str()?.to_owned(), line["line"].as_u64()));
    let link = |name: &str| format!("a link refers to `{name}`, which is not in the archive");
    let name = "`x/../c.jpg` is not copied: its name contains `..`";
    assert_eq!(
        lines.iter().filter_map(found).collect::<Vec<_>>(),
        [
            (name.to_owned(), None),
            (link("no a.jpg"), Some(5)),
            (link("file:///c:/x.jpg"), Some(9)),
            (link("no a.jpg"), Some(11)),
        ]
    );
    assert_eq!(lines.last().map(|line| &line["summary"]["losses"]), Some(&4.into()));
    let output = run(&["convert", "-o", &place("out.gdz"), &place("in.gdz")]);
    assert!(stderr(&output).contains("5 | 1 FILE no%20a.jpg"), "{}", stderr(&output));
}

#[test]
fn what_an_encoding_lacks_is_reported_where_it_stands() {
    let file = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n1 NAME A\n1 NOTE \u{e9}\n1 NOTE b\n2 CONT a\u{361}b\n\
        1 NOTE \u{65e5}\n0 TRLR\n";
    let args = ["convert", "--to-rules", "gedcom-5.5.1", "--encoding", "ANSEL", "--format", "json", "-o"];
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.ged").display().to_string();
    let output = run_with(&[&args[..], &[&out, "-"]].concat(), file.as_bytes());
    let lines = json(&output);
    let is_found = |line: &&serde_json::Value| line["code"] == "E0803";
    let found: Vec<_> = lines.iter().filter(is_found).map(|line| line["line"].as_u64()).collect();
    assert_eq!(found, [Some(7), Some(9)]);
}

#[test]
fn links_into_the_folders_for_media_are_packed_whatever_way_they_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = |name: &str| folder.path().join(name).display().to_string();
    for name in ["tree/photos", "tree/sub", "elsewhere/deep"] {
        std::fs::create_dir_all(place(name)).expect("a folder");
    }
    for name in
        ["tree/photos/ann.png", "tree/sub/b c.jpg", "elsewhere/out.jpg", "elsewhere/deep/d.jpg", "no.jpg"]
    {
        std::fs::write(place(name), name).expect("a file");
    }
    let absolute = place("elsewhere/deep/d.jpg");
    let links = [
        "photos/../photos/ann.png",
        "photos/../../tree/sub/b c.jpg",
        "../elsewhere/out.jpg",
        &absolute,
        "../no.jpg",
        "../elsewhere/missing.jpg",
    ];
    let records: Vec<String> = links
        .iter()
        .enumerate()
        .map(|(at, link)| format!("0 @O{at}@ OBJE\n1 FILE {link}\n2 FORM jpg\n"))
        .collect();
    let input = format!(
        "0 HEAD\n1 SOUR X\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n{}0 TRLR\n",
        records.concat()
    );
    std::fs::write(place("tree/a.ged"), input).expect("a file");
    let args =
        ["convert", &place("tree/a.ged"), "-o", &place("o.gdz"), "--media-folder", &place("elsewhere")];
    let output = run(&args);
    assert_eq!(status(&output), 1);
    assert_eq!(stderr(&output).matches("[E0822]").count(), 2, "{}", stderr(&output));
    let archive = || std::fs::File::open(place("o.gdz")).expect("an archive");
    let entries = elf_archive::entries(archive()).expect("a list");
    let text_of =
        |at: usize| std::io::read_to_string(entries[at].open(archive()).expect("an entry")).expect("text");
    let mut found: Vec<(&str, String)> =
        entries.iter().enumerate().skip(1).map(|(at, entry)| (entry.name(), text_of(at))).collect();
    found.sort();
    let expected = [
        ("elsewhere/deep/d.jpg", "elsewhere/deep/d.jpg"),
        ("elsewhere/out.jpg", "elsewhere/out.jpg"),
        ("photos/ann.png", "tree/photos/ann.png"),
        ("sub/b c.jpg", "tree/sub/b c.jpg"),
    ];
    assert_eq!(found, expected.map(|(name, text)| (name, text.to_owned())));
    let text = text_of(0);
    for link in ["photos/ann.png", "sub/b%20c.jpg", "elsewhere/out.jpg", "elsewhere/deep/d.jpg", "../no.jpg"]
    {
        assert!(text.contains(&format!("\n1 FILE {link}\n")), "{link}: {text}");
    }
}

#[test]
fn media_within_a_record_keep_their_order() {
    let input = "0 HEAD\n1 SOUR X\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n0 @I1@ INDI\n\
        1 OBJE\n2 FILE a.jpg\n3 FORM jpg\n1 OBJE\n2 FILE b.jpg\n3 FORM jpg\n1 OBJE\n2 FILE c.jpg\n3 FORM jpg\n0 TRLR\n";
    let output = run_with(&["convert", "--to-rules", "gedcom-7", "-", "-o", "-"], input.as_bytes());
    let text = stdout(&output);
    let files: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("1 FILE ")).collect();
    assert_eq!(files, ["a.jpg", "b.jpg", "c.jpg"], "{text}");
}
