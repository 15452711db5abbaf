//! Edits of small files, and what comes of them.

use super::*;
use elf_edit::EditOptions;
use elf_tagged::path::Types;
use elf_tagged::read;

#[test]
fn a_payload_is_set() {
    assert_eq!(edited(FILE, &[set("@I1@/BIRT/PLAC", "Mayfair")]), with("London", "Mayfair"));
    assert_eq!(edited(FILE, &[set("@I1@/NAME[2]", "L.")]), with("Lilibet", "L."));
    assert_eq!(edited(FILE, &[set("@I1@/BIRT", "Y")]), with("BIRT", "BIRT Y"));
    assert_eq!(edited(FILE, &[set("@I1@/BIRT/PLAC", "")]), with("PLAC London", "PLAC"));
    assert_eq!(edited(FILE, &[set("@F1@/CHIL", "@I1@")]), with("@I1@\n0 TRLR", "@@I1@@\n0 TRLR"));
    assert_eq!(edited(FILE, &[point("@F1@/CHIL", "F1")]), with("CHIL @I1@", "CHIL @F1@"));
    assert_eq!(edited(FILE, &[set("HEAD/GEDC/VERS", "5.5")]), with("5.5.1", "5.5"));
    assert_eq!(
        edited(FILE, &[set("@I1@/BIRT/DATE", "@#DJULIAN@ 8 APR 1926")]),
        with("DATE 21", "DATE @#DJULIAN@ 8")
    );
}

#[test]
fn lines_of_a_payload_that_stay_keep_their_spelling() {
    let file = "0 HEAD\n0 NOTE a @ sign\n1 CONC  and\n1  CONT\tb\n 1 CONT c\n1 CONT d@@\n0 TRLR\n";
    let whole = "a @ sign and\nb\nc\nd@";
    assert_eq!(edited(file, &[set("NOTE", whole)]), file);
    for (old, new, expected) in [
        ("\nb", "\nB", file.replace("1  CONT\tb", "1 CONT B")),
        ("\nc\n", "\nc\nx\n", file.replace("CONT c\n", "CONT c\n1 CONT x\n")),
        ("\nb\n", "\n", file.replace("1  CONT\tb\n", "")),
        ("\nd@", "", file.replace("1 CONT d@@\n", "")),
        ("a @ sign and\n", "", "0 HEAD\n0 NOTE b\n 1 CONT c\n1 CONT d@@\n0 TRLR\n".to_owned()),
        ("a @", "an @", file.replace("NOTE a @ sign\n1 CONC  and", "NOTE an @@ sign and")),
    ] {
        assert_eq!(edited(file, &[set("NOTE", &whole.replace(old, new))]), expected, "{old:?} to {new:?}");
    }
}

#[test]
fn what_is_raw_in_the_file_stays_raw() {
    let file = "0 HEAD\n0 NOTE first\nsecond\n\n  fourth\n1 CONT fifth\n1 SOUR x\n0 TRLR\n";
    let whole = "first\nsecond\n\n  fourth\nfifth";
    assert_eq!(edited(file, &[set("NOTE", whole)]), file);
    assert_eq!(
        edited(file, &[set("NOTE", "first\nsecond\nthird\n  fourth\nfifth")]),
        "0 HEAD\n0 NOTE first\nsecond\n1 CONT third\n1 CONT   fourth\n1 CONT fifth\n1 SOUR x\n0 TRLR\n"
    );
    let moved = edit(file.as_bytes(), WILD, &[insert("NOTE", "top"), r#move("NOTE[2]", "NOTE[1]")]);
    let (octets, _) = moved.expect("a move");
    let document = read(&octets, WILD, &Options::default(), &mut ()).expect("small");
    let note = document.records().next().expect("a note");
    assert_eq!(note.text(), "top");
}

#[test]
fn what_is_wrong_with_the_whole_file_is_not_brought_about_by_moving_its_evidence() {
    let file = "0 HEAD\n1 CHAR ANSEL\n0 @I1@ INDI\n1 NAME João\n1 NOTE Søren\n0 TRLR\n";
    assert_eq!(edited(file, &[set("@I1@/NAME", "John")]), file.replace("João", "John"));
    assert_eq!(edited(file, &[remove("@I1@/NAME")]), file.replace("1 NAME João\n", ""));
}

#[test]
fn structures_are_inserted_where_asked() {
    let after = |old: &str, line: &str| with(old, &format!("{old}{line}"));
    assert_eq!(edited(FILE, &[insert("@I1@/BIRT/NOTE", "x")]), after("2 PLAC London\n", "2 NOTE x\n"));
    assert_eq!(edited(FILE, &[insert("@I1@/SEX", "F")]), after("1 FAMC @F1@\n", "1 SEX F\n"));
    assert_eq!(edited(FILE, &[insert("@I1@/NAME[2]", "x")]), after("/Windsor/\n", "1 NAME x\n"));
    assert_eq!(edited(FILE, &[insert("@I1@/NAME[3]", "x")]), after("1 FAMC @F1@\n", "1 NAME x\n"));
    assert_eq!(edited(FILE, &[insert("@I1@/NOTE/SOUR", "x")]), after("2 CONT of two lines\n", "2 SOUR x\n"));
    assert_eq!(edited(FILE, &[insert("NOTE", "a\nb")]), after("1 CHIL @I1@\n", "0 NOTE a\n1 CONT b\n"));
    assert_eq!(edited(FILE, &[insert("@N1@ NOTE", "x")]), after("1 CHIL @I1@\n", "0 @N1@ NOTE x\n"));
    assert_eq!(edited(FILE, &[insert("INDI[1]", "")]), with("0 @I1@", "0 INDI\n0 @I1@"));
    assert_eq!(edited(FILE, &[insert("HEAD/SOUR", "x")]), after("2 FORM LINEAGE-LINKED\n", "1 SOUR x\n"));
    // Each edit sees what those before it did.
    let edits = [
        insert("@I2@ INDI", ""),
        insert("@I2@/BIRT", ""),
        insert("@I2@/BIRT/DATE", "1900"),
        insert("@I2@/NAME", "Someone"),
        set("@I2@/BIRT/DATE", "1901"),
        point("@F1@/CHIL", "I2"),
        insert("@I2@/BIRT[1]", "Y"),
        insert("@I2@/BIRT[2]/PLAC", "here"),
    ];
    assert_eq!(
        edited(FILE, &edits),
        with(
            "CHIL @I1@\n",
            "CHIL @I2@\n0 @I2@ INDI\n1 BIRT Y\n1 BIRT\n2 DATE 1901\n2 PLAC here\n1 NAME Someone\n"
        )
    );
}

#[test]
fn structures_are_removed_with_all_beneath_them() {
    assert_eq!(edited(FILE, &[remove("@I1@/BIRT")]), with("1 BIRT\n2 DATE 21 APR 1926\n2 PLAC London\n", ""));
    assert_eq!(edited(FILE, &[remove("@I1@/NOTE")]), with("1 NOTE a note\n2 CONT of two lines\n", ""));
    let both = edited(FILE, &[remove("@I1@/NAME[1]"), remove("@I1@/NAME")]);
    assert_eq!(both, with("1 NAME Elizabeth /Windsor/\n1 NAME Lilibet\n2 TYPE aka\n", ""));
    let nested =
        edited(FILE, &[remove("@I1@/BIRT/DATE"), insert("@I1@/BIRT/DATE", "x"), remove("@I1@/BIRT")]);
    assert_eq!(nested, with("1 BIRT\n2 DATE 21 APR 1926\n2 PLAC London\n", ""));
    let replaced = edited(FILE, &[remove("@I1@/BIRT/DATE"), insert("@I1@/BIRT/DATE", "1926")]);
    assert_eq!(replaced, with("2 DATE 21 APR 1926\n2 PLAC London\n", "2 PLAC London\n2 DATE 1926\n"));
    assert_eq!(
        refused(FILE, &[remove("@F1@"), remove("@F1@/CHIL")]).to_string(),
        "no structure at `@F1@`; no record has the identifier `@F1@`"
    );
}

#[test]
fn structures_are_moved_with_all_beneath_them() {
    let birth = "1 BIRT\n2 DATE 21 APR 1926\n2 PLAC London\n";
    let without = with(birth, "");
    assert_eq!(
        edited(FILE, &[r#move("@I1@/BIRT", "@F1@/MARR")]),
        without.replace("1 CHIL @I1@\n", &format!("1 CHIL @I1@\n{}", birth.replace("BIRT", "MARR")))
    );
    assert_eq!(
        edited(FILE, &[r#move("@I1@/BIRT", "@F1@")]),
        edited(FILE, &[r#move("@I1@/BIRT", "@F1@/BIRT")])
    );
    assert_eq!(
        edited(FILE, &[r#move("@I1@/BIRT", "@I1@/NAME[1]/BIRT")]),
        without.replace("/Windsor/\n", "/Windsor/\n2 BIRT\n3 DATE 21 APR 1926\n3 PLAC London\n")
    );
    assert_eq!(
        edited(FILE, &[r#move("@I1@/NOTE", "NOTE")]),
        with("1 NOTE a note\n2 CONT of two lines\n", "")
            .replace("0 TRLR", "0 NOTE a note\n1 CONT of two lines\n0 TRLR")
    );
    assert_eq!(
        edited(FILE, &[r#move("@I1@/NAME[2]", "@I1@/NAME[1]")]),
        with(
            "1 NAME Elizabeth /Windsor/\n1 NAME Lilibet\n2 TYPE aka\n",
            "1 NAME Lilibet\n2 TYPE aka\n1 NAME Elizabeth /Windsor/\n"
        )
    );
    assert_eq!(edited(FILE, &[r#move("@I1@/BIRT", "@I1@/_BIRT")]), with("1 BIRT", "1 _BIRT"));
    // There and back.
    let back = [
        r#move("@I1@/BIRT", "@F1@/MARR"),
        r#move("@F1@/MARR", "@I1@/BIRT"),
        r#move("@I1@/NOTE", "@I1@/X[1]"),
    ];
    assert_eq!(
        edited(FILE, &[r#move("@F1@", "INDI[1]")]).matches("0 @F1@ INDI\n1 CHIL @I1@\n0 @I1@").count(),
        1
    );
    assert!(
        edited(FILE, &back)
            .contains("1 FAMC @F1@\n1 BIRT\n2 DATE 21 APR 1926\n2 PLAC London\n1 X a note\n2 CONT")
    );
    // With edits in what moves, before and after.
    let edits = [
        set("@I1@/BIRT/DATE", "1926"),
        r#move("@I1@/BIRT", "BIRT"),
        remove("BIRT/PLAC"),
        insert("BIRT/_X", "a\nb"),
    ];
    assert!(edited(FILE, &edits).ends_with("0 BIRT\n1 DATE 1926\n1 _X a\n2 CONT b\n0 TRLR\n"));
    assert_eq!(refused(FILE, &[r#move("@I1@", "@I1@/BIRT/INDI")]), EditError::WithinItself);
    assert_eq!(refused(FILE, &[r#move("@I1@/BIRT", "@I1@/BIRT/X")]), EditError::WithinItself);
}

#[test]
fn what_cannot_be_is_refused() {
    for (edit, expected) in [
        (set("@I1@/DEAT", "x"), "no structure at `@I1@/DEAT`"),
        (
            set("@I1@/NAME[3]/X", "x"),
            "no structure at `@I1@/NAME[3]`; `@I1@` has NAME[1..2], BIRT, NOTE, FAMC",
        ),
        (set("DEAT", "x"), "no structure at `DEAT`; the records are HEAD, INDI, FAM, TRLR"),
        (set("@I1@/BIRT/DATE/X", "x"), "`@I1@/BIRT/DATE/X`; nothing is there"),
        (set("@I2@/NAME", "x"), "no record has the identifier `@I2@`"),
        (
            set("@I1@/NAME", "x"),
            "`@I1@/NAME` matches 2 structures: `@I1@/NAME[1]` (Elizabeth /Windsor/), `@I1@/NAME[2]` (Lilibet); \
             `NAME[*]` selects all of them",
        ),
        (remove("@I1@/NAME"), "`@I1@/NAME` matches 2 structures"),
        (insert("@I1@/NAME/TYPE", "x"), "`@I1@/NAME` matches 2 structures"),
        (r#move("@I1@/NAME[*]", "@I1@/NOTE"), "`@I1@/NAME[*]` matches 2 structures"),
        (insert("@I1@/NAME[*]", "x"), "expected a tag at the end of the path"),
        (point("@F1@/CHIL", "I9"), "no record has the identifier `@I9@`"),
        (insert("@F1@/CHIL[=@I9@]", "x"), "expected a tag at the end of the path"),
        (set("HEAD/CHAR", "ANSEL"), "it names the encoding of the whole file"),
        (remove("HEAD/CHAR"), "it names the encoding of the whole file"),
        (remove("HEAD"), "it names the encoding of the whole file"),
        (r#move("HEAD/CHAR", "HEAD/_CHAR"), "it names the encoding of the whole file"),
        (insert("HEAD/CHAR", "ANSEL"), "it names the encoding of the whole file"),
        (insert("HEAD/CHAR/VERS", "1"), "it names the encoding of the whole file"),
        (insert("@I1@/CONT", "x"), "reserved"),
        (insert("@I1@/TRLR", "x"), "reserved"),
        (r#move("@I1@/NOTE", "@I1@/CONC"), "reserved"),
        (insert("@I1@/NOTE[3]", "x"), "up to 2: there are 1 structures with the tag `NOTE`"),
        (insert("@F1@ NOTE", "x"), "already has the identifier `@F1@`"),
        (insert("@I1@", "x"), "expected a tag at the end of the path"),
        (insert("@I1@/elf:BIRTH", "x"), "expected a tag at the end of the path"),
        (set("HEAD/GEDC/VERS", "5\n5"), "one line"),
        (set("@I1@/NOTE", "\0"), "U+0000"),
        (point("@I1@/NOTE", ""), "identifier"),
    ] {
        let error = refused(FILE, std::slice::from_ref(&edit)).to_string();
        assert!(error.contains(expected), "{edit:?}: {error}");
    }
    let document = read_file(b"0 HEAD\n0 NOTE x", D19);
    let editor = Editor::new(&document);
    assert!(!editor.document().is_complete());
    let edits = [set("NOTE", "y")];
    assert_eq!(edit(b"0 HEAD\n0 NOTE x", D19, &edits), Err(EditError::Incomplete));
}

#[test]
fn a_failed_edit_changes_nothing() {
    let document = read_file(FILE.as_bytes(), WILD);
    let mut editor = Editor::new(&document);
    for edit in
        [insert("@I1@/NOTE[9]", "x"), r#move("@I1@/NAME", "@I1@/X[9]"), rename("I1", "F1"), set("X", "y")]
    {
        editor.apply(&edit, &mut ()).expect_err("an edit that cannot be made");
    }
    let edited = editor.finish(&mut ()).expect("no edit");
    assert_eq!((&*edited.octets, edited.patches.len()), (FILE.as_bytes(), 0));
}

#[test]
fn a_path_may_choose_several() {
    let family = with("1 CHIL @I1@\n", "1 CHIL @I1@\n1 CHIL @F1@\n1 NOTE a]b\n1 NOTE a]b\n1 NOTE c\n");
    let without = |gone: &str| family.replace(gone, "");
    assert_eq!(edited(&family, &[remove("@F1@/CHIL[=@I1@]")]), without("1 CHIL @I1@\n"));
    assert_eq!(edited(&family, &[remove("@F1@/CHIL[*]")]), without("1 CHIL @I1@\n1 CHIL @F1@\n"));
    assert_eq!(edited(&family, &[remove("@F1@/NOTE[=a]]b]")]), without("1 NOTE a]b\n1 NOTE a]b\n"));
    assert_eq!(edited(&family, &[remove("@F1@/NOTE[=a]]b][2]")]), family.replacen("1 NOTE a]b\n", "", 1));
    assert_eq!(edited(&family, &[set("@F1@/NOTE[*]", "c")]), family.replace("NOTE a]b", "NOTE c"));
    assert_eq!(
        edited(&family, &[insert("@F1@/CHIL[*]/PEDI", "birth")]),
        family
            .replace("1 CHIL @I1@\n", "1 CHIL @I1@\n2 PEDI birth\n")
            .replace("CHIL @F1@\n", "CHIL @F1@\n2 PEDI birth\n")
    );
    // What is no pointer is no `@I1@`, and each edit sees the values that those before it gave.
    assert!(edit(family.as_bytes(), WILD, &[remove("@I1@/NAME[=@I1@]")]).is_err());
    assert_eq!(edited(&family, &[set("@F1@/NOTE[=c]", "d"), remove("@F1@/NOTE[=d]")]), without("1 NOTE c\n"));
    // All or none: one of the two cannot have that payload.
    let document = read_file(b"0 HEAD\n1 CHAR UTF-8\n1 SOUR x\n0 TRLR\n", WILD);
    let mut editor = Editor::new(&document);
    editor.apply(&remove("HEAD[*]"), &mut ()).expect_err("CHAR stays");
    assert_eq!(editor.finish(&mut ()).expect("no edit").patches, []);
}

#[test]
fn what_a_path_lacks_is_made_if_asked_for() {
    let create = EditOptions::new().with_create(true);
    let made = |edits: &[Edit]| {
        let document = read_file(FILE.as_bytes(), WILD);
        let mut editor = Editor::new(&document).with_options(create);
        for edit in edits {
            editor.apply(edit, &mut ()).expect("a good edit");
        }
        let edited = editor.finish(&mut ()).expect("a good edit");
        String::from_utf8(edited.octets.into_owned()).expect("UTF-8")
    };
    let after = |line: &str, new: &str| with(line, &[line, new].concat());
    assert_eq!(made(&[set("@F1@/MARR/DATE", "1900")]), after("1 CHIL @I1@\n", "1 MARR\n2 DATE 1900\n"));
    assert_eq!(made(&[insert("@F1@/MARR/DATE", "1900")]), after("1 CHIL @I1@\n", "1 MARR\n2 DATE 1900\n"));
    assert_eq!(made(&[set("@I1@/BIRT[2]/PLAC", "x")]), after("1 FAMC @F1@\n", "1 BIRT\n2 PLAC x\n"));
    assert_eq!(made(&[set("@I1@/NAME[*]/SOUR", "x")]).matches("2 SOUR x\n").count(), 2);
    assert_eq!(made(&[set("@S1@ SOUR/TITL", "x")]), after("1 CHIL @I1@\n", "0 @S1@ SOUR\n1 TITL x\n"));
    assert_eq!(
        made(&[set("@F1@/NOTE[=a note]/SOUR", "x"), set("@F1@/NOTE[=a note]/SOUR", "y")]),
        after("1 CHIL @I1@\n", "1 NOTE a note\n2 SOUR y\n")
    );
    assert_eq!(
        made(&[r#move("@I1@/NOTE", "@F1@/MARR/NOTE")])
            .matches("1 MARR\n2 NOTE a note\n3 CONT of two lines\n")
            .count(),
        1
    );
    // What is there is taken.
    assert_eq!(made(&[set("@I1@/BIRT/PLAC", "Mayfair")]), with("London", "Mayfair"));
    let document = read_file(FILE.as_bytes(), WILD);
    let mut editor = Editor::new(&document).with_options(create);
    for edit in [
        set("@I9@/BIRT", "x"),
        set("@F1@/MARR[3]/DATE", "x"),
        set("@F1@/MARR/CONT/DATE", "x"),
        set("@F1@/MARR[*]/DATE", "x"),
        set("@F1@/HUSB[=@I9@]/X", "x"),
        insert("@F1@/MARR/DATE[2]", "x"),
        r#move("@I1@/NOTE", "@F1@/MARR/X[2]"),
        set("@I1@/NAME/SOUR", "x"),
    ] {
        editor.apply(&edit, &mut ()).expect_err("an edit that cannot be made");
    }
    assert_eq!(editor.finish(&mut ()).expect("no edit").patches, [], "nothing stays of edits that failed");
}

#[test]
fn pointers_lead_somewhere_unless_that_is_not_asked_for() {
    let document = read_file(FILE.as_bytes(), WILD);
    let mut editor = Editor::new(&document).with_options(EditOptions::new().with_dangling(true));
    editor.apply(&Edit::Insert(path("@F1@/CHIL"), Value::of("@I9@")), &mut ()).expect("a pointer");
    let mut findings: Vec<Diagnostic> = Vec::new();
    let edited = editor.finish(&mut findings).expect("a good edit");
    assert!(edited.octets.windows(11).any(|window| window == b"1 CHIL @I9@"));
    // Advice in December 2019, and a fault when an edit brings it about.
    assert_eq!((edited.faults, findings.len(), findings[0].code.id()), (1, 1, "E0327"));
    // In GEDCOM 7 a pointer leads to nothing on purpose.
    let seven = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @I1@ INDI\n0 TRLR\n";
    assert_eq!(
        super::edited(seven, &[Edit::Insert(path("@I1@/FAMC"), Value::of("@VOID@"))]),
        seven.replace("INDI\n", "INDI\n1 FAMC @VOID@\n")
    );
}

#[test]
fn what_pointed_to_what_is_removed_goes_too_if_asked_for() {
    let file = "0 HEAD\n0 @A@ INDI\n1 FAMS @F@\n2 NOTE @N@\n0 @B@ INDI\n1 FAMS @F@\n2 NOTE x\n0 @F@ FAM\n1 HUSB @A@\n\
                1 WIFE @B@\n0 @N@ NOTE @A@\n0 NOTE\n1 SOUR @N@\n0 TRLR\n";
    let cascaded = |xref: &str| {
        let document = read_file(file.as_bytes(), WILD);
        let mut editor = Editor::new(&document).with_options(EditOptions::new().with_cascade(true));
        editor.apply(&remove(xref), &mut ()).expect("a good edit");
        let mut findings: Vec<Diagnostic> = Vec::new();
        let edited = editor.finish(&mut findings).expect("a good edit");
        assert_eq!((edited.faults, findings), (0, Vec::new()));
        let gone = editor.cascaded().into_iter().map(|one| (one.path, one.line, one.structures));
        (String::from_utf8(edited.octets.into_owned()).expect("UTF-8"), gone.collect::<Vec<_>>())
    };
    let gone = |path: &str, line, structures| (path.to_owned(), Some(line), structures);
    assert_eq!(
        cascaded("@F@"),
        (
            "0 HEAD\n0 @A@ INDI\n0 @B@ INDI\n0 @N@ NOTE @A@\n0 NOTE\n1 SOUR @N@\n0 TRLR\n".to_owned(),
            vec![gone("@A@/FAMS", 3, 2), gone("@B@/FAMS", 6, 2)]
        )
    );
    // The record @N@ is a pointer itself: it goes with @A@, and what points to it goes with it.
    assert_eq!(
        cascaded("@A@"),
        (
            "0 HEAD\n0 @B@ INDI\n1 FAMS @F@\n2 NOTE x\n0 @F@ FAM\n1 WIFE @B@\n0 NOTE\n0 TRLR\n".to_owned(),
            vec![gone("@F@/HUSB", 9, 1), gone("@N@", 11, 1), gone("NOTE[2]/SOUR", 13, 1)]
        )
    );
    assert_eq!(cascaded("@B@/FAMS").1, []);
    // A pointer to one of two that have the identifier leads to the other one now.
    let (_, codes) = edit(file.as_bytes(), WILD, &[remove("@N@")]).expect("a good edit");
    assert_eq!(codes, ["E0327", "E0327"]);
}

#[test]
fn only_what_edits_bring_about_is_reported() {
    let faulty =
        FILE.replace("a note", "a @ note").replace("1 FAMC @F1@", "1 FAMC @F2@").replace("0 TRLR\n", "");
    let codes = |edits: &[Edit]| edit(faulty.as_bytes(), WILD, edits).expect("good edits").1;
    // Lines move, structures move with their faults, and the line a fault is in changes.
    assert_eq!(codes(&[insert("@I1@/NAME[1]", "x"), set("@I1@/BIRT/DATE", "x")]), [""; 0]);
    assert_eq!(codes(&[r#move("@I1@/NOTE", "@F1@/NOTE"), r#move("@I1@/FAMC", "@F1@/FAMC")]), [""; 0]);
    assert_eq!(codes(&[insert("NOTE", "x")]), [""; 0], "the trailer was missing before");
    // What the new line cannot hold is a fault where the rules call it one.
    let document = read_file(FILE.as_bytes(), &Rules::OCTOBER_2017);
    let mut blanks = Editor::new(&document);
    blanks.apply(&set("@I1@/BIRT/PLAC", " x "), &mut ()).expect("a text");
    assert_eq!(blanks.finish(&mut ()).expect("a good edit").faults, 1);
    // Another pointer that leads nowhere is another fault.
    assert_eq!(codes(&[r#move("@F1@", "@F1@ _FAM"), remove("@I1@")]), ["E0327"]);
    let dangling = EditOptions::new().with_dangling(true);
    let document = read_file(faulty.as_bytes(), WILD);
    let mut editor = Editor::new(&document).with_options(dangling);
    editor.apply(&point("@I1@/FAMC", "F3"), &mut ()).expect("a pointer");
    assert_eq!(editor.finish(&mut ()).expect("a good edit").faults, 1);
}

#[test]
fn what_edits_break_is_reported() {
    let broken = |edits: &[Edit]| edit(FILE.as_bytes(), D19, edits).expect("good edits").1;
    assert_eq!(broken(&[remove("TRLR")]), ["E0307"]);
    assert_eq!(broken(&[insert("@X@ FAM", ""), insert("@Y@ FAM", ""), remove("@F1@")]), ["E0327"]);
    assert_eq!(broken(&[insert("TRLR/NOTE", "x")]), ["E0309"]);
    assert_eq!(broken(&[set("HEAD/GEDC/FORM", "x")]), ["E0322"]);
    assert_eq!(broken(&[set("@I1@/NOTE", "@ @@ @#x")]), [""; 0]);
    // What was there before is not laid to the edits.
    let faulty = FILE.replace("a note", "a @#X1@ note").replace("1 BIRT\n", "1 BIRT\n2 ASSO @X@\n");
    let findings =
        edit(faulty.as_bytes(), WILD, &[set("@I1@/BIRT/PLAC", "here"), set("HEAD/GEDC/VERS", "7.0")]);
    // It is read as GEDCOM 7 then, which has neither CHAR nor FORM.
    assert_eq!(findings.expect("good edits").1, ["E0342", "E0342"]);
}

#[test]
fn what_the_encoding_lacks_is_escaped_or_refused() {
    for (name, escaped) in [("ASCII", "Ж@#U416@"), ("ANSEL", "x")] {
        let file = FILE.replace("UTF-8", name);
        let (octets, codes) = edit(file.as_bytes(), D19, &[set("@I1@/NOTE", "ЖЯ!")]).expect("escapes");
        assert_eq!(codes, [""; 0], "{escaped}");
        assert_eq!(
            String::from_utf8_lossy(&octets),
            file.replace("a note\n2 CONT of two lines", "@#U416 42F@!")
        );
        let document = read_file(file.as_bytes(), D19);
        let mut editor = Editor::new(&document).with_options(EditOptions::new().with_escapes(false));
        let error = editor.apply(&set("@I1@/NOTE", "a\nbЖ"), &mut ()).expect_err("no escapes");
        assert!(error.to_string().contains("U+0416 cannot be written in"), "{error}");
        let error = editor.apply(&insert("@Ж@ NOTE", ""), &mut ()).expect_err("no escapes in identifiers");
        assert!(error.to_string().contains("U+0416"), "{error}");
    }
    let january =
        FILE.replace("UTF-8", "ASCII").replace("1 GEDC\n", "1 SCHMA\n2 SCHMA https://e.example/\n1 GEDC\n");
    let (octets, _) =
        edit(january.as_bytes(), &Rules::JANUARY_2019, &[set("@I1@/NOTE", "Ж!")]).expect("escapes");
    assert!(String::from_utf8_lossy(&octets).contains("NOTE @#U416@ !\n"));
}

#[test]
fn what_the_encoding_lacks_is_refused_where_there_are_no_escapes() {
    // GEDCOM 5.5.1 has escapes, but none that stands for a character.
    let file = b"0 HEAD\n1 CHAR ANSI\n0 @I1@ INDI\n1 NAME x\n0 NOTE Jos\xE9\n0 TRLR\n";
    for value in ["\u{6f22}", "a\nb\u{6f22}"] {
        let error = edit(file, &Rules::GEDCOM_5_5_1, &[set("@I1@/NAME", value)]);
        assert!(matches!(error, Err(EditError::Unencodable(_))), "{error:?}");
    }
    let zoe = [set("@I1@/NAME", "Zo\u{eb}")];
    let (octets, _) = edit(file, &Rules::GEDCOM_5_5_1, &zoe).expect("characters of windows-1252");
    assert_eq!(octets, b"0 HEAD\n1 CHAR ANSI\n0 @I1@ INDI\n1 NAME Zo\xEB\n0 NOTE Jos\xE9\n0 TRLR\n");
}

#[test]
fn an_edit_that_changes_the_decoding_is_refused() {
    // Without CHAR the octets decide: what was windows-1252 would become UTF-8.
    let file = b"0 HEAD\n0 NOTE \xE9\n0 NOTE x\n0 TRLR\n";
    let error = edit(file, WILD, &[set("NOTE[2]", "y"), remove("NOTE[1]")]);
    assert!(matches!(error, Err(EditError::EncodingChanged { .. })), "{error:?}");
    let (octets, _) = edit(file, WILD, &[set("NOTE[2]", "\u{201C}")]).expect("a page of Windows");
    assert_eq!(octets, b"0 HEAD\n0 NOTE \xE9\n0 NOTE \x93\n0 TRLR\n");
}

#[test]
fn indentation_is_that_of_the_file() {
    let file = "0 HEAD\n\t1 SOUR x\n0 @I1@ INDI\n  1 BIRT\n    2 DATE 1\n  1 DEAT\n0 TRLR\n";
    let edits = [insert("@I1@/BIRT/PLAC", "a\nb"), insert("@I1@/DEAT/DATE", "x"), insert("@I1@/SEX", "F")];
    assert_eq!(
        edited(file, &edits),
        "0 HEAD\n\t1 SOUR x\n0 @I1@ INDI\n  1 BIRT\n    2 DATE 1\n    2 PLAC a\n3 CONT b\n  1 DEAT\n    2 DATE x\n  1 SEX F\n0 TRLR\n"
            .replace("3 CONT", "    3 CONT")
    );
    assert_eq!(
        edited(file, &[r#move("@I1@/BIRT/DATE", "@I1@/DATE")]),
        file.replace("    2 DATE 1\n", "").replace("1 DEAT\n", "1 DEAT\n  1 DATE 1\n")
    );
}

#[test]
fn payloads_are_split_as_the_file_does() {
    let words = "word ".repeat(20) + "end";
    let narrow = "0 HEAD\n0 NOTE aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj kkkk llll mm\n1 CONC mm eeee\n0 NOTE x\n0 TRLR\n";
    let text = edited(narrow, &[set("NOTE[2]", &words)]);
    assert!(text.lines().all(|line| line.len() <= 71) && text.contains("\n1 CONC "), "{text}");
    let wide = "0 HEAD\n0 NOTE x\n0 TRLR\n";
    let text = edited(wide, &[set("NOTE", &words.repeat(5))]);
    assert!(
        text.lines().all(|line| line.len() <= 254) && text.lines().any(|line| line.len() > 240),
        "{text}"
    );
    for file in [narrow.replace('\n', "\r\n"), wide.replace('\n', "\r\n")] {
        let text = edited(&file, &[set("NOTE[1]", &"x".repeat(1000))]);
        let most = if file.contains("CONC") { 73 } else { 255 };
        assert!(text.split_inclusive('\n').all(|line| line.len() <= most), "{text}");
    }
}

#[test]
fn blank_lines_and_a_missing_last_break_stay() {
    let file = "0 HEAD\n\n0 @I1@ INDI\n1 SEX F\n\n\n0 TRLR";
    assert_eq!(edited(file, &[insert("@I1@/NOTE", "x")]), file.replace("SEX F\n", "SEX F\n1 NOTE x\n"));
    assert_eq!(edited(file, &[insert("NOTE", "x")]), file.replace("SEX F\n", "SEX F\n0 NOTE x\n"));
    assert_eq!(edited(file, &[remove("@I1@/SEX")]), file.replace("1 SEX F\n", ""));
    let open = "0 HEAD\n0 NOTE x";
    let (octets, _) = edit(open.as_bytes(), WILD, &[insert("NOTE", "y")]).expect("an edit");
    assert_eq!(octets, b"0 HEAD\n0 NOTE x\n0 NOTE y");
    let (octets, _) = edit(b"", WILD, &[insert("NOTE", "y")]).expect("an edit of nothing");
    assert_eq!(octets, b"0 NOTE y\n");
}

/// Knows two types, by tags.
struct TwoTypes;

impl Types for TwoTypes {
    fn is_of(&mut self, tags: &[&str], name: &str) -> bool {
        matches!(
            (tags, name),
            (["INDI", "BIRT"], "elf:BIRTH" | "elf:Event") | (["INDI", "DEAT"], "elf:Event")
        )
    }

    fn tag_for(&mut self, tags: &[&str], name: &str) -> Option<String> {
        (tags == ["INDI"] && name == "elf:DEATH").then(|| "DEAT".to_owned())
    }
}

#[test]
fn types_are_asked_of_the_caller() {
    let document = read_file(FILE.as_bytes(), WILD);
    let mut editor = Editor::new(&document);
    let birth = editor.find_one(&path("@I1@/elf:Event"), &mut TwoTypes).expect("a birth");
    assert_eq!(birth, editor.find_one(&path("INDI/BIRT"), &mut ()).expect("a birth"));
    editor.apply(&insert("@I1@/elf:DEATH", "Y"), &mut TwoTypes).expect("a death");
    let death = editor.find_one(&path("INDI[1]/elf:Event[2]"), &mut TwoTypes).expect("a death");
    assert_eq!(death, editor.find_one(&path("@I1@/DEAT"), &mut ()).expect("a death"));
    editor.find_one(&path("@I1@/elf:Event[3]"), &mut TwoTypes).expect_err("two only");
}

#[test]
fn one_edit_changes_its_lines_only_in_every_encoding() {
    let accents = |text: &str| text.replace("London", "Málaga").replace("Lilibet", "Zoë");
    for (encoding, line_break) in FORMS {
        let accents = |text: &str| if encoding == Encoding::Ascii { text.to_owned() } else { accents(text) };
        let before = in_form(&accents(FILE), encoding, line_break);
        for (edits, old, new) in [
            (vec![set("@I1@/NOTE", "a\nbé")], "a note\n2 CONT of two lines", "a\n2 CONT bé"),
            (vec![insert("@I1@/BIRT/_X", "é")], "2 PLAC London\n", "2 PLAC London\n2 _X é\n"),
            (vec![remove("@I1@/BIRT/DATE")], "2 DATE 21 APR 1926\n", ""),
            (vec![r#move("@I1@/NAME[2]/TYPE", "@I1@/TYPE[1]")], "2 TYPE aka\n", ""),
        ] {
            let mut expected = with(old, new);
            if expected.matches("aka").count() == 0 {
                expected = expected.replace("1 FAMC @F1@\n", "1 FAMC @F1@\n1 TYPE aka\n");
            }
            let expected =
                accents(&expected).replace('é', if encoding == Encoding::Ascii { "@#UE9@" } else { "é" });
            let expected = in_form(&expected, encoding, line_break);
            let (octets, codes) = edit(&before, WILD, &edits).expect("good edits");
            assert_eq!(codes, [""; 0]);
            assert!(
                octets == expected,
                "{encoding}: {} is not {}",
                octets.escape_ascii(),
                expected.escape_ascii()
            );
        }
    }
}

#[test]
fn octets_that_stand_for_nothing_stay() {
    let file = b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME \xFF\xFE x\n1 _X\xC3 y\n1 NOTE z\n2 CONT \xF0\x9F\n0 TRLR\n";
    let (octets, _) =
        edit(file, WILD, &[set("@I1@/NOTE", "new"), insert("@I1@/SEX", "F")]).expect("good edits");
    assert!(
        octets.starts_with(b"0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME \xFF\xFE x\n1 _X\xC3 y\n1 NOTE new\n")
    );
    let strict = b"0 HEAD\n1 CHAR ASCII\n0 @I1@ INDI\n1 NAME \x81\n2 TYPE x\n0 NOTE y\n0 TRLR\n";
    let rules = &Rules::JANUARY_2019;
    let (octets, _) = edit(strict, rules, &[set("@I1@/NAME/TYPE", "z")]).expect("good edits");
    assert_eq!(octets, strict.map(|octet| if octet == b'x' { b'z' } else { octet }));
    let error = edit(strict, rules, &[r#move("@I1@", "INDI[1]"), r#move("NOTE", "NOTE[1]")]);
    assert_eq!(error, Err(EditError::Undecodable { line: 4 }));
    let (octets, _) = edit(strict, rules, &[set("@I1@/NAME", "w")]).expect("what is replaced may go");
    assert!(!octets.contains(&0x81));
}

#[test]
fn an_escape_that_is_a_line_break_is_seen() {
    let file = b"0 HEAD\n1 CHAR UTF-8\n0 NOTE x@#UA@ 0 NOTE y\n0 NOTE @#U41@ z\n0 TRLR\n";
    let rules = &Rules::OCTOBER_2017;
    assert_eq!(edit(file, rules, &[set("NOTE[1]", "w")]), Err(EditError::SharedLine { line: 3 }));
    let (octets, _) = edit(file, rules, &[set("NOTE[3]", "w")]).expect("a line of its own");
    assert_eq!(octets, b"0 HEAD\n1 CHAR UTF-8\n0 NOTE x@#UA@ 0 NOTE y\n0 NOTE w\n0 TRLR\n");
    let (octets, _) = edit(file, rules, &[set("NOTE[3]", "Az")]).expect("the same");
    assert_eq!(octets, file);
}

#[test]
fn a_line_that_no_edit_names_is_not_drawn_into_a_payload() {
    let file = |body: &str| format!("0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n{body}0 TRLR\n");
    for (body, edit, line) in [
        // What is no line is text of the payload before it, if that has any.
        ("1 BIRT\nraw\n", set("@I1@/BIRT", "x"), 5),
        ("1 FAMC @I1@\nraw\n", set("@I1@/FAMC", "x"), 5),
        ("1 NAME A\n1 BIRT\nraw\n", r#move("@I1@/BIRT/ERROR", "@I1@/NAME/ERROR"), 4),
    ] {
        let found = edit_result(&file(body), &edit);
        assert_eq!(found, Err(EditError::ReadOtherwise { line }), "{body:?} {edit:?}");
    }
    let trailers = "0 HEAD\n1 CHAR UTF-8\n0 TRLR\nraw\n0 NOTE x\n0 TRLR\n";
    assert_eq!(edit_result(trailers, &set("TRLR[1]", "zz")), Err(EditError::ReadOtherwise { line: 4 }));
    // What belongs to a payload goes with it.
    assert_eq!(edited(&file("1 NAME A\nraw\n"), &[set("@I1@/NAME", "B")]), file("1 NAME B\n"));
}

fn edit_result(text: &str, one: &Edit) -> Result<String, EditError> {
    let (octets, _) = edit(text.as_bytes(), WILD, std::slice::from_ref(one))?;
    Ok(String::from_utf8(octets).expect("UTF-8 as before"))
}

#[test]
fn a_line_is_no_longer_than_ansel_has_it() {
    let file = b"0 HEAD\n1 CHAR ANSEL\n0 @I1@ INDI\n1 NAME Jo\xE4ao\n1 NOTE x\n0 TRLR\n";
    for rules in [&Rules::GEDCOM_5_5_1, &Rules::OCTOBER_2017] {
        let long = "\u{e9}".repeat(300);
        let (octets, _) = edit(&file[..], rules, &[set("@I1@/NOTE", &long)]).expect("an edit");
        let lines: Vec<&[u8]> = octets.split(|octet| *octet == b'\n').collect();
        assert!(lines.iter().all(|line| line.len() < 256), "{}", rules.name);
        assert_eq!(octets.iter().filter(|octet| **octet == 0xE2).count(), 300);
    }
}
