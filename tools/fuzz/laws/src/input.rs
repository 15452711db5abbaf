//! Inputs of laws.

use elf_base::Rules;

/// The octets of a file, and the rules by which it is read, and written.
#[derive(Clone, Copy, Debug)]
pub struct Input<'i> {
    /// The file.
    pub octets: &'i [u8],
    /// The rules by which it is read.
    pub rules: &'static Rules,
    /// The rules by which it, or another one made of it, is written, for laws about writing.
    pub to: &'static Rules,
}

impl<'i> Input<'i> {
    /// Takes what a fuzzer made: the last octet chooses the rules, so that one that is torn or grows stays
    /// what it was in front.
    pub fn chosen(made: &'i [u8]) -> Input<'i> {
        let (choice, octets) = made.split_last().map_or((0, made), |(last, octets)| (*last, octets));
        Input::by(octets, choice)
    }

    /// Makes an input of octets and the number that chooses the rules: of any eight numbers in a row, each
    /// chooses others to read by.
    pub fn by(octets: &'i [u8], choice: u8) -> Input<'i> {
        let presets = Rules::PRESETS;
        let rules = |number: u8| presets[usize::from(number) % presets.len()];
        Input { octets, rules: rules(choice), to: rules(choice / 8) }
    }
}
