//! Rows as columns of Arrow.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use elf_tables::arrow::arrow_array::cast::AsArray;
use elf_tables::arrow::arrow_array::types::{Date32Type, Int64Type};
use elf_tables::arrow::arrow_array::{Array, RecordBatch};
use elf_tables::arrow::{ArrowBuilder, ArrowFailure, schema};
use elf_tables::{Rows, Table};

fn batches(table: Table, columns: &[&str], portions: &[Rows]) -> Vec<RecordBatch> {
    let mut builder = ArrowBuilder::new(table, columns).unwrap();
    portions.iter().for_each(|rows| builder.rows(rows).unwrap());
    builder.finish().unwrap()
}

fn names(table: Table) -> Vec<&'static str> {
    table.columns().iter().map(|column| column.name).collect()
}

#[test]
fn values_lists_and_what_is_missing() {
    let mut rows = Rows::of(Table::Families.columns().len());
    rows.text("a.ged").text("F1").list(&["I1"]).list::<&str>(&[]).list(&["I2", "I3"]);
    rows.text("1900").date_of(Some(2_440_588)).date_of(Some(i64::MAX)).empty().empty();
    rows.text("a.ged").text("F2").list::<&str>(&[]).list(&["I4"]).list::<&str>(&[]);
    rows.empty().date_of(Some(2_440_587)).date_of(None).empty().text("Y");
    let found =
        batches(Table::Families, &["children", "id", "marriage", "marriage_from", "marriage_to"], &[rows]);
    let [batch] = &found[..] else { panic!("{} batches", found.len()) };
    let children = batch.column(0).as_list::<i32>();
    let lists: Vec<Vec<String>> = children
        .iter()
        .map(|list| list.unwrap().as_string::<i32>().iter().map(|item| item.unwrap().to_owned()).collect())
        .collect();
    assert_eq!(lists, [vec!["I2".to_owned(), "I3".to_owned()], Vec::new()]);
    let ids: Vec<_> = batch.column(1).as_string::<i32>().iter().collect();
    assert_eq!(ids, [Some("F1"), Some("F2")]);
    let marriages: Vec<_> = batch.column(2).as_string::<i32>().iter().collect();
    assert_eq!(marriages, [Some("1900"), None]);
    let days: Vec<_> = batch.column(3).as_primitive::<Date32Type>().iter().collect();
    assert_eq!(days, [Some(0), Some(-1)]);
    assert_eq!(batch.column(4).null_count(), 2);
}

#[test]
fn numbers_too_large_are_missing() {
    let mut rows = Rows::of(Table::Sources.columns().len());
    for number in [0, i64::MAX as u64, i64::MAX as u64 + 1] {
        rows.text("a").text("S1").empty().empty().empty().empty().integer(number);
    }
    let found = batches(Table::Sources, &["citations"], &[rows]);
    let numbers: Vec<_> = found[0].column(0).as_primitive::<Int64Type>().iter().collect();
    assert_eq!(numbers, [Some(0), Some(i64::MAX), None]);
}

#[test]
fn all_tables_have_columns_that_arrow_takes() {
    for table in Table::ALL {
        assert!(batches(table, &names(table), &[]).is_empty());
        let mut rows = Rows::of(table.columns().len());
        table.columns().iter().for_each(|_| {
            rows.empty();
        });
        let found = batches(table, &names(table), &[rows]);
        assert_eq!((found[0].num_rows(), found[0].schema()), (1, schema(table)));
    }
}

#[test]
fn no_column_and_unknown_columns() {
    let mut rows = Rows::of(Table::Places.columns().len());
    Table::Places.columns().iter().for_each(|_| {
        rows.empty();
    });
    assert_eq!(batches(Table::Places, &[], &[rows])[0].num_rows(), 1);
    let error = ArrowBuilder::new(Table::Places, &["plaec"]).unwrap_err();
    assert!(matches!(error, ArrowFailure::UnknownColumn { .. }), "{error}");
}

/// Rows become a batch when they take 32 MiB.
#[test]
fn a_large_table_has_several_batches() {
    let text = "x".repeat(1 << 20);
    let portion = |number: usize| {
        let mut rows = Rows::of(Table::Sources.columns().len());
        rows.text("a").text(&format!("S{number}")).text(&text).empty().empty().empty().integer(1);
        rows
    };
    let portions: Vec<Rows> = (0..70).map(portion).collect();
    let counts: Vec<usize> =
        batches(Table::Sources, &["id"], &portions).iter().map(RecordBatch::num_rows).collect();
    assert_eq!((counts.len(), counts.iter().sum::<usize>()), (3, 70));
}
