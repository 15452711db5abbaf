//! Each command has a page of the manual.

use super::*;
use crate::args::Args;
use clap::CommandFactory;

#[test]
fn each_command_has_a_page() {
    let args = Args::command();
    let names: Vec<&str> = args.get_subcommands().map(clap::Command::get_name).collect();
    assert_eq!(names, COMMANDS);
}
