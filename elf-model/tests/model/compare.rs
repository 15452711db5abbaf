//! Tests of equality and of equal meaning.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_model::{Dataset, DatasetBuilder, ReadOptions, Rules, Schema};

/// A dataset of the lines between header and trailer; lines are separated by ` | `.
fn read(body: &str) -> Dataset {
    let octets = format!("0 HEAD\n{}\n0 TRLR\n", body.replace(" | ", "\n"));
    elf_model::read(octets.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ()).expect("whole")
}

fn equal(one: &str, two: &str) -> (bool, bool) {
    let [one, two] = [one, two].map(read);
    let backwards = (two == one, two.means_the_same(&one));
    assert!(one == one.clone() && one.means_the_same(&one));
    let forwards = (one == two, one.means_the_same(&two));
    assert_eq!(forwards, backwards);
    forwards
}

const SAME: (bool, bool) = (true, true);
const RENAMED: (bool, bool) = (false, true);
const OTHER: (bool, bool) = (false, false);

#[test]
fn order_counts_within_a_type_only() {
    assert_eq!(
        equal("0 INDI | 1 NAME A | 1 SEX M | 1 NAME B", "0 INDI | 1 SEX M | 1 NAME A | 1 NAME B"),
        SAME
    );
    assert_eq!(equal("0 INDI | 1 NAME A | 1 NAME B", "0 INDI | 1 NAME B | 1 NAME A"), OTHER);
    assert_eq!(equal("0 NOTE a | 0 NOTE b | 0 FAM", "0 FAM | 0 NOTE b | 0 NOTE a"), SAME);
    assert_eq!(equal("1 SOUR a | 1 LANG b | 0 FAM", "1 LANG b | 1 SOUR a | 0 FAM"), SAME);
    assert_eq!(equal("1 _X a | 1 _X b", "1 _X b | 1 _X a"), OTHER);
    assert_eq!(equal("0 NOTE a | 0 NOTE a", "0 NOTE a"), OTHER);
    assert_eq!(equal("0 NOTE a | 0 NOTE a | 0 NOTE b", "0 NOTE a | 0 NOTE b | 0 NOTE b"), OTHER);
}

#[test]
fn what_counts_is_the_type_and_not_the_tag() {
    assert_eq!(equal("0 SUBM | 1 EMAIL a", "0 SUBM | 1 EMAI a"), SAME);
    assert_eq!(equal("0 INDI | 1 _A x", "0 INDI | 1 _B x"), OTHER);
}

#[test]
fn splitting_escapes_and_the_header_do_not_count() {
    assert_eq!(equal("0 NOTE ab | 1 CONT c@@d", "0 NOTE a | 1 CONC b | 1 CONT c@#U40@d"), SAME);
    assert_eq!(
        equal(
            "1 CHAR UTF-8 | 1 ELF 1.0.0 | 0 FAM",
            "1 SCHMA | 2 SCHMA https://fhiso.org/TR/elf-data-model/v1.0.0 | 0 FAM"
        ),
        SAME
    );
    assert_eq!(equal("1 PLANG fr | 0 NOTE a", "0 NOTE a"), OTHER);
}

#[test]
fn payloads_of_different_kinds_differ() {
    assert_eq!(equal("0 X @I1@", "0 X @@I1@@"), OTHER);
    assert_eq!(equal("0 X", "0 X x"), OTHER);
    let mut builder = DatasetBuilder::new(Schema::completed());
    builder.record("NOTE").text("");
    assert!(builder.finish().expect("small") != read("0 NOTE"));
}

#[test]
fn identifiers_mean_nothing() {
    assert_eq!(equal("0 @A@ FAM | 1 CHIL @B@ | 0 @B@ INDI", "0 @Y@ INDI | 0 @X@ FAM | 1 CHIL @Y@"), RENAMED);
    assert_eq!(equal("0 @A@ FAM", "0 FAM"), RENAMED);
    // A pointer that leads nowhere is what it names.
    assert_eq!(equal("0 FAM | 1 CHIL @A@", "0 FAM | 1 CHIL @B@"), OTHER);
    assert_eq!(equal("0 FAM | 1 CHIL @A@", "0 FAM | 1 CHIL @A@"), SAME);
    // The same person twice is not two persons.
    assert_eq!(
        equal(
            "0 @F@ FAM | 1 CHIL @A@ | 1 CHIL @A@ | 0 @A@ INDI | 0 @B@ INDI",
            "0 @F@ FAM | 1 CHIL @A@ | 1 CHIL @B@ | 0 @A@ INDI | 0 @B@ INDI"
        ),
        OTHER
    );
    // Two circles of two are not one of four.
    assert_eq!(
        equal(
            "0 @A@ X | 1 P @B@ | 0 @B@ X | 1 P @A@ | 0 @C@ X | 1 P @D@ | 0 @D@ X | 1 P @C@",
            "0 @A@ X | 1 P @B@ | 0 @B@ X | 1 P @C@ | 0 @C@ X | 1 P @D@ | 0 @D@ X | 1 P @A@"
        ),
        OTHER
    );
    assert_eq!(
        equal(
            "0 @A@ X | 1 P @B@ | 0 @B@ X | 1 P @A@ | 0 @C@ X | 1 P @D@ | 0 @D@ X | 1 P @C@",
            "0 @A@ X | 1 P @C@ | 0 @B@ X | 1 P @D@ | 0 @C@ X | 1 P @A@ | 0 @D@ X | 1 P @B@"
        ),
        RENAMED
    );
    // Identical people in identical families, in another order.
    assert_eq!(
        equal(
            "0 @A@ FAM | 1 HUSB @C@ | 0 @B@ FAM | 1 HUSB @D@ | 0 @C@ INDI | 0 @D@ INDI",
            "0 @A@ FAM | 1 HUSB @D@ | 0 @B@ FAM | 1 HUSB @C@ | 0 @C@ INDI | 0 @D@ INDI"
        ),
        RENAMED
    );
}

#[test]
fn pointers_into_records_lead_to_what_stands_alike() {
    assert_eq!(
        equal(
            "0 INDI | 1 @E@ EVEN x | 1 @F@ EVEN y | 0 NOTE | 1 P @E@",
            "0 NOTE | 1 P @G@ | 0 INDI | 1 @G@ EVEN x | 1 @E@ EVEN y"
        ),
        RENAMED
    );
    assert_eq!(
        equal(
            "0 INDI | 1 @E@ EVEN x | 1 @F@ EVEN x | 0 NOTE | 1 P @E@",
            "0 INDI | 1 @E@ EVEN x | 1 @F@ EVEN x | 0 NOTE | 1 P @F@"
        ),
        OTHER
    );
}

#[test]
fn a_large_family_is_compared_in_linear_time() {
    let family = |names: &dyn Fn(u32) -> u32| {
        let mut builder = DatasetBuilder::new(Schema::completed());
        for person in 0..50_000_u32 {
            let name = |of: u32| format!("P{}", names(of % 50_000));
            builder.record("INDI").xref(&name(person)).open("NOTE").text(&(person % 7).to_string()).close();
            builder
                .open("ALIA")
                .pointer(&name(person / 2))
                .close()
                .open("ALIA")
                .pointer(&name(person * 3 + 1));
        }
        builder.finish().expect("small")
    };
    let one = family(&|of| of);
    let two = family(&|of| 49_999 - of);
    assert!(one != two && one.means_the_same(&two));
    // A path of records without a mark on the way: more steps than there are rounds.
    let path = |last: u32| {
        let mut builder = DatasetBuilder::new(Schema::completed());
        for step in 0..20_000_u32 {
            builder.record("X").xref(&step.to_string()).open("P").pointer(&(step + 1).min(last).to_string());
        }
        builder.finish().expect("small")
    };
    assert!(path(19_999).means_the_same(&path(19_999)) && !path(19_999).means_the_same(&path(19_998)));
}
