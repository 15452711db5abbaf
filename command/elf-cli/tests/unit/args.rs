//! The arguments are consistent, and their texts in the style of the house.

use super::*;
use clap::CommandFactory;

#[test]
fn the_arguments_are_consistent() {
    Args::command().debug_assert();
}

/// House style of help texts: they open with a verb, or with what the argument is.
#[test]
fn the_texts_open_with_a_verb_or_a_noun() {
    let mut all = Args::command();
    all.build();
    let mut commands = vec![&all];
    while let Some(command) = commands.pop() {
        commands.extend(command.get_subcommands());
        let arguments = command.get_arguments();
        let texts = arguments.flat_map(|argument| [argument.get_help(), argument.get_long_help()]);
        for text in texts.chain([command.get_about(), command.get_long_about()]).flatten() {
            let text = text.to_string();
            let first = text.split_whitespace().next().unwrap_or_default();
            let questions = ["How", "What", "Whether", "Where", "Which", "Who", "Those", "That"];
            let opens = !questions.contains(&first) && !text.starts_with("The same");
            assert!(opens, "{}: {text}", command.get_name());
        }
    }
}
