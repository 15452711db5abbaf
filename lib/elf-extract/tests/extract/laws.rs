//! Laws of all extracts: kept lines are lines of the input in their order; all of it is the input; and a
//! redaction leaves nothing of the living but what their place in the tree takes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use elf_extract::{
    Branch, Generations, LivingRule, LoneFamilies, Plan, RecordKind, Redaction, RemovalReason, Replacement,
    Survey,
};
use elf_schema::TypedDocument;

const TODAY: i64 = 2_461_368;

fn read(file: &str) -> TypedDocument<'_> {
    TypedDocument::parse(file.as_bytes()).unwrap()
}

fn branch(file: &str, branch: &Branch) -> String {
    let typed = read(file);
    let plan = Plan::branch(Survey::of(&typed), branch).unwrap();
    String::from_utf8(plan.extract().unwrap().octets.into_owned()).unwrap()
}

/// A removed structure: its path, the reason, and how many structures were removed.
type Removed = (Option<String>, RemovalReason, u64);

/// The redacted file, what was removed, and the paths of texts that name a hidden person.
fn redacted(file: &str, redaction: &Redaction) -> (String, Vec<Removed>, Vec<String>) {
    let typed = read(file);
    let plan = Plan::redaction(Survey::of(&typed), redaction).unwrap();
    let extraction = plan.extract().unwrap();
    let mut places = extraction.places();
    let removed = extraction.removed.iter();
    let removed = removed.map(|one| (places.of_removal(one).path, one.reason, one.structures())).collect();
    let mentions = extraction.mentions.iter();
    let mentions = mentions.map(|one| places.of_mention(one).path.unwrap_or_default()).collect();
    (String::from_utf8(extraction.octets.to_vec()).unwrap(), removed, mentions)
}

fn by_default() -> Redaction {
    Redaction::by(LivingRule::on(TODAY))
}

/// Three generations, sources and notes of some, and a submitter.
const FAMILY: &str = "\
0 HEAD
1 SOUR TEST
1 SUBM @U1@
1 FILE smith.ged
1 CHAR UTF-8
0 @U1@ SUBM
1 NAME A Helper
0 @I1@ INDI
1 NAME Ada /Smith/
2 NOTE inline
1 SEX F
1 BIRT
2 DATE 1990
2 SOUR @S1@
1 FAMC @F1@
2 PEDI birth
1 FAMS @F2@
1 _MIL no
1 ASSO @I4@
2 RELA friend
0 @I2@ INDI
1 NAME Ben /Smith/
1 BIRT
2 DATE 1850
1 DEAT Y
1 FAMS @F1@
1 SOUR @S2@
2 NOTE @N2@
1 NOTE His grandchild Ada Smith lives.
0 @I3@ INDI
1 NAME Cy /Jones/
1 FAMS @F2@
1 NOTE @N1@
0 @I4@ INDI
1 NAME Eve /Brown/
1 DEAT
2 DATE 1900
1 ASSO @I1@
2 RELA friend
2 NOTE @N3@
1 FAMS @F3@
1 EVEN
2 ASSO @I3@
0 @F1@ FAM
1 HUSB @I2@
1 CHIL @I1@
2 _FREL natural
1 MARR
2 DATE 1880
0 @F2@ FAM
1 HUSB @I3@
1 WIFE @I1@
1 MARR
2 DATE 2010
2 SOUR @S1@
0 @F3@ FAM
1 WIFE @I4@
0 @S1@ SOUR
1 TITL of the living
1 REPO @R1@
0 @S2@ SOUR
1 TITL of the dead
1 REPO @R2@
0 @S3@ SOUR
1 TITL of nobody
0 @R1@ REPO
0 @R2@ REPO
0 @N1@ NOTE one
0 @N2@ NOTE two
0 @N3@ NOTE three
0 TRLR
";

#[test]
fn a_branch_has_its_people_and_what_they_refer_to() {
    let out = branch(FAMILY, &Branch::of(["I1"]).with_ancestors(Generations::All));
    let expected = "\
0 HEAD
1 SOUR TEST
1 SUBM @U1@
1 FILE smith.ged
1 CHAR UTF-8
0 @U1@ SUBM
1 NAME A Helper
0 @I1@ INDI
1 NAME Ada /Smith/
2 NOTE inline
1 SEX F
1 BIRT
2 DATE 1990
2 SOUR @S1@
1 FAMC @F1@
2 PEDI birth
1 _MIL no
0 @I2@ INDI
1 NAME Ben /Smith/
1 BIRT
2 DATE 1850
1 DEAT Y
1 FAMS @F1@
1 SOUR @S2@
2 NOTE @N2@
1 NOTE His grandchild Ada Smith lives.
0 @F1@ FAM
1 HUSB @I2@
1 CHIL @I1@
2 _FREL natural
1 MARR
2 DATE 1880
0 @S1@ SOUR
1 TITL of the living
1 REPO @R1@
0 @S2@ SOUR
1 TITL of the dead
1 REPO @R2@
0 @S3@ SOUR
1 TITL of nobody
0 @R1@ REPO
0 @R2@ REPO
0 @N2@ NOTE two
0 TRLR
";
    assert_eq!(out, expected);
}

#[test]
fn lone_families_go_or_stay_by_rule() {
    let lone = Branch::of(["I1"]);
    let families = |text: &str| text.matches(" FAM\n").count();
    assert_eq!(families(&branch(FAMILY, &lone)), 0);
    let kept = branch(FAMILY, &lone.clone().with_lone_families(LoneFamilies::Keep));
    assert_eq!(families(&kept), 2);
    assert!(kept.contains("1 FAMS @F2@") && !kept.contains("HUSB"));
    // One that had no more before stays with its person.
    assert_eq!(families(&branch(FAMILY, &Branch::of(["I4"]))), 1);
}

#[test]
fn spouses_and_descendants_belong_where_they_are_asked_for() {
    let people = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.ends_with(" INDI"));
        lines.map(|line| line[3..5].to_owned()).collect()
    };
    let from_ben = Branch::of(["I2"]).with_descendants(Generations::UpTo(1));
    assert_eq!(people(&branch(FAMILY, &from_ben)), ["I1", "I2"]);
    assert_eq!(people(&branch(FAMILY, &from_ben.with_spouses(true))), ["I1", "I2", "I3"]);
    let none = Branch::of(["I2"]).with_descendants(Generations::UpTo(0));
    assert_eq!(people(&branch(FAMILY, &none)), ["I2"]);
}

#[test]
fn all_of_a_file_is_the_file() {
    let everybody = Branch::of(["I1", "I2", "I3", "I4"]);
    assert_eq!(branch(FAMILY, &everybody), FAMILY);
}

#[test]
fn nobody_by_a_name_is_an_error() {
    let typed = read(FAMILY);
    let error = Plan::branch(Survey::of(&typed), &Branch::of(["F1"])).unwrap_err();
    assert_eq!(error.to_string(), "no person has the identifier `@F1@`");
}

#[test]
fn placeholders_keep_the_tree_and_nothing_else() {
    let (out, removed, mentions) = redacted(FAMILY, &by_default());
    let expected = "\
0 HEAD
1 SOUR TEST
1 SUBM @U1@
1 CHAR UTF-8
0 @U1@ SUBM
1 NAME Private
0 @I1@ INDI
1 NAME Private
1 SEX F
1 FAMC @F1@
1 FAMS @F2@
0 @I2@ INDI
1 NAME Ben /Smith/
1 BIRT
2 DATE 1850
1 DEAT Y
1 FAMS @F1@
1 SOUR @S2@
2 NOTE @N2@
1 NOTE His grandchild Ada Smith lives.
0 @I3@ INDI
1 NAME Private
1 FAMS @F2@
0 @I4@ INDI
1 NAME Eve /Brown/
1 DEAT
2 DATE 1900
1 FAMS @F3@
0 @F1@ FAM
1 HUSB @I2@
1 CHIL @I1@
1 MARR
2 DATE 1880
0 @F2@ FAM
1 HUSB @I3@
1 WIFE @I1@
0 @F3@ FAM
1 WIFE @I4@
0 @S2@ SOUR
1 TITL of the dead
1 REPO @R2@
0 @S3@ SOUR
1 TITL of nobody
0 @R2@ REPO
0 @N2@ NOTE two
0 TRLR
";
    assert_eq!(out, expected);
    assert_eq!(mentions, ["@I2@/NOTE"]);
    let reason = |path: &str| {
        let of = removed.iter().find(|(of, ..)| of.as_deref() == Some(path));
        of.map(|(_, reason, structures)| (*reason, *structures))
    };
    assert_eq!(reason("HEAD/FILE"), Some((RemovalReason::FileName, 1)));
    assert_eq!(reason("@I1@/BIRT"), Some((RemovalReason::Living, 3)));
    assert_eq!(reason("@I4@/EVEN"), Some((RemovalReason::Emptied, 2)));
    assert_eq!(reason("@N3@"), Some((RemovalReason::Unreferenced, 1)));
    // What was redacted is redacted.
    assert_eq!(redacted(&out, &by_default()).0, out);
}

#[test]
fn the_dropped_leave_no_link_behind() {
    let (out, ..) = redacted(FAMILY, &by_default().with_replacement(Replacement::Nothing));
    for gone in ["@I1@", "@I3@", "@F1@", "@F2@", "@S1@", "@N1@"] {
        assert!(!out.contains(gone), "{gone} in {out}");
    }
    assert!(out.contains("0 @I2@ INDI\n") && out.contains("0 @F3@ FAM\n"));
}

#[test]
fn names_and_initials_are_left_where_they_are_asked_for() {
    let (out, ..) = redacted(FAMILY, &by_default().with_replacement(Replacement::Name));
    assert!(out.contains("1 NAME Ada /Smith/\n1 SEX F\n"));
    let (out, ..) = redacted(FAMILY, &by_default().with_replacement(Replacement::Initials));
    assert!(out.contains("1 NAME A. /S./\n1 SEX F\n"));
}

#[test]
fn who_is_to_be_kept_stays_whole() {
    let (out, ..) = redacted(FAMILY, &by_default().with_keep(["I1"]));
    assert!(out.contains("1 NAME Ada /Smith/\n2 NOTE inline\n1 SEX F\n1 BIRT\n"));
    assert!(out.contains("1 NAME Private\n1 FAMS @F2@\n"));
}

#[test]
fn what_is_marked_private_goes() {
    let file = "0 HEAD\n0 @I1@ INDI\n1 NAME Old /Man/\n1 RESN confidential\n1 DEAT Y\n1 FAMS @F1@\n\
                0 @I2@ INDI\n1 NAME X /Y/\n1 DEAT Y\n1 OCCU spy\n2 RESN privacy\n2 SOUR @S1@\n1 FAMS @F1@\n\
                0 @F1@ FAM\n1 RESN privacy\n1 HUSB @I2@\n1 WIFE @I3@\n1 MARR Y\n\
                0 @I3@ INDI\n1 NAME Z /Y/\n1 DEAT Y\n1 SOUR @S2@\n1 FAMS @F1@\n\
                0 @S1@ SOUR\n0 @S2@ SOUR\n1 RESN privacy\n0 TRLR\n";
    let (out, ..) = redacted(file, &by_default());
    let expected = "0 HEAD\n0 @I1@ INDI\n1 NAME Private\n1 RESN confidential\n1 FAMS @F1@\n\
                0 @I2@ INDI\n1 NAME X /Y/\n1 DEAT Y\n1 FAMS @F1@\n\
                0 @F1@ FAM\n1 RESN privacy\n1 HUSB @I2@\n1 WIFE @I3@\n\
                0 @I3@ INDI\n1 NAME Z /Y/\n1 DEAT Y\n1 FAMS @F1@\n0 TRLR\n";
    assert_eq!(out, expected);
}

#[test]
fn lines_that_fit_nowhere_go_with_the_record_before_them() {
    let file = "0 HEAD\n0 @I1@ INDI\n1 NAME Ada /Smith/\n1 SEX F and her secret\nmore\n1 _X\n0 CONT secret\n\
                0 @I2@ INDI\n1 DEAT Y\n1 NOTE a\nb\n0 TRLR\n";
    let (out, ..) = redacted(file, &by_default());
    assert_eq!(out, "0 HEAD\n0 @I1@ INDI\n1 NAME Private\n0 @I2@ INDI\n1 DEAT Y\n1 NOTE a\nb\n0 TRLR\n");
}

#[test]
fn counts_say_what_becomes_of_records() {
    let typed = read(FAMILY);
    let plan = Plan::redaction(Survey::of(&typed), &by_default()).unwrap();
    let counts = plan.counts(RecordKind::Person);
    assert_eq!((counts.kept, counts.hidden, counts.removed), (2, 2, 0));
    let counts = plan.counts(RecordKind::Other);
    assert_eq!((counts.kept, counts.hidden, counts.removed), (4, 0, 4));
}
