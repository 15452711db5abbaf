//! Each public type of errors is an error that can be boxed, sent and kept.

use std::error::Error;

#[test]
fn every_error_type_is_an_error() {
    fn error<T: Error + Send + Sync + 'static>() {}
    error::<elf_base::UnknownName>();
    error::<elf_octets::TooLarge>();
    error::<elf_octets::PatchError>();
    error::<elf_octets::Unencodable>();
    error::<elf_lines::Fault>();
    error::<elf_lines::path::PathError>();
    error::<elf_tagged::path::FindError>();
    error::<elf_tagged::escape::EscapeDefinitionFault>();
    error::<elf_tagged::write::OptionError>();
    error::<elf_tagged::write::WriteError>();
    error::<elf_edit::EditError>();
    error::<elf_values::Malformed>();
    error::<elf_values::Fault>();
    error::<elf_schema::TagError>();
    error::<elf_model::ReadError>();
    error::<elf_model::DatasetTooLarge>();
}
