//! Circles, and chains of any length: nothing recurses, and nothing takes square time.

use crate::kinship::generations;
use crate::{lineage, questions};
use elf_lineage::{Lineage, TiesFollowed};
use std::fmt::Write;

/// A chain of so many persons, each the father of the one before; closed, where it is a circle.
fn chain(length: usize, is_circle: bool) -> Lineage {
    let mut body = String::new();
    for number in 0..length {
        let above = if number + 1 == length { 0 } else { number + 1 };
        let _ = write!(body, "0 @I{number}@ INDI\n1 BIRT\n2 DATE {}\n", 100_000 - number * 20 % 97_000);
        if number + 1 < length || is_circle {
            let _ = write!(
                body,
                "1 FAMC @F{number}@\n0 @F{number}@ FAM\n1 HUSB @I{above}@\n1 CHIL @I{number}@\n"
            );
        }
    }
    lineage(body.trim_end())
}

/// Runs on a stack on which no recursion over a hundred thousand persons has room.
fn on_a_small_stack(run: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(1 << 18).spawn_scoped(scope, run);
        thread.expect("a thread").join().expect("no overflow");
    });
}

#[test]
fn a_circle_of_a_hundred_thousand_generations_is_one_question() {
    let lineage = chain(100_000, true);
    on_a_small_stack(|| {
        let found = questions(&lineage, true);
        let circles: Vec<_> = found.iter().filter(|found| found.code.id() == "P08").collect();
        let [circle] = circles.as_slice() else { panic!("{} circles", circles.len()) };
        assert!(
            circle.message.starts_with("@I0@ is among their own ancestors: child of @I1@, child of @I2@")
        );
        assert!(circle.message.ends_with("and so on, 99992 more"), "{}", circle.message);
        let first = lineage.persons().next().expect("a person");
        assert_eq!(first.ancestors(TiesFollowed::ByBirth).count(), 99_999);
        assert_eq!(first.descendants(TiesFollowed::ByBirth).count(), 99_999);
    });
}

#[test]
fn a_chain_of_a_hundred_thousand_generations_is_none() {
    let lineage = chain(100_000, false);
    on_a_small_stack(|| {
        assert!(questions(&lineage, true).iter().all(|found| found.code.id() != "P08"));
        let persons: Vec<_> = lineage.persons().collect();
        let (first, last) = (persons[0], persons[99_999]);
        assert_eq!(generations(&last.kinship(first)), [(0, 99_999)]);
        assert_eq!(generations(&first.kinship(last)), [(99_999, 0)]);
    });
}

#[test]
fn each_circle_is_one_question_at_its_first_person() {
    let lines = "0 @I1@ INDI\n1 FAMC @F1@\n1 FAMS @F1@\n0 @F1@ FAM\n1 HUSB @I1@\n1 CHIL @I1@\n\
        0 @I2@ INDI\n0 @I3@ INDI\n0 @F2@ FAM\n1 WIFE @I2@\n1 CHIL @I3@\n0 @F3@ FAM\n1 WIFE @I3@\n1 CHIL @I2@";
    let found = questions(&lineage(lines), false);
    let messages: Vec<&str> = found.iter().map(|found| &*found.message).collect();
    assert_eq!(
        messages,
        [
            "@I1@ is among their own ancestors: child of @I1@",
            "@I2@ is among their own ancestors: child of @I3@, child of @I2@",
        ]
    );
    assert_eq!(found[1].related.len(), 1);
}

#[test]
fn a_circle_through_an_adoption_is_only_unlikely() {
    let lines = "0 @I1@ INDI\n1 FAMC @F1@\n2 PEDI adopted\n0 @F1@ FAM\n1 HUSB @I2@\n1 CHIL @I1@\n\
        0 @I2@ INDI\n0 @F2@ FAM\n1 HUSB @I1@\n1 CHIL @I2@";
    let count = |unlikely| questions(&lineage(lines), unlikely).len();
    assert_eq!((count(false), count(true)), (0, 1));
}

#[test]
fn a_family_of_many_partners_and_children_takes_no_square_time() {
    let mut body = String::from("0 @F1@ FAM\n");
    for number in 0..20_000 {
        let _ = write!(body, "1 HUSB @P{number}@\n1 CHIL @C{number}@\n1 MARR\n2 DATE 1700\n");
    }
    for number in 0..20_000 {
        let _ = write!(
            body,
            "0 @P{number}@ INDI\n1 BIRT\n2 DATE 1850\n0 @C{number}@ INDI\n1 BIRT\n2 DATE 1 JAN 1800\n"
        );
    }
    let lineage = lineage(body.trim_end());
    let first = lineage.find_person("P0").expect("a person");
    assert_eq!(first.children().count(), 20_000);
    assert!(questions(&lineage, true).len() < 1_000_000);
}
