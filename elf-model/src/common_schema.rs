//! Chooses the schema by which two files are compared.

use elf_base::Rules;
use elf_schema::{Options, Schema};
use elf_tagged::elf_octets;
use std::sync::Arc;

/// A file that is compared, with the rules by which it is read.
#[derive(Clone, Copy, Debug)]
pub struct FileToCompare<'a> {
    /// The bytes of the file.
    pub octets: &'a [u8],
    /// The rules by which the file is read.
    pub rules: &'a Rules,
}

/// Returns the schema for tags that two files do not define, so that both files can be compared. The schema is that of
/// the standard that both follow, or a common schema if only one of them is of GEDCOM 7. Pass the schema as
/// [`common`](elf_schema::ReadOptions::with_common) when you read the files.
///
/// ```
/// use elf_model::elf_schema::{Options, Schema};
/// use elf_model::{FileToCompare, Rules, common_schema};
/// use std::sync::Arc;
///
/// let file = FileToCompare { octets: b"0 HEAD\n1 GEDC\n2 VERS 7.0\n0 TRLR\n", rules: &Rules::WILD };
/// assert!(Arc::ptr_eq(common_schema([file, file], &Options::default()), Schema::gedcom_7()));
/// ```
pub fn common_schema(files: [FileToCompare<'_>; 2], options: &Options) -> &'static Arc<Schema> {
    let is_of_7 = |file: FileToCompare<'_>| {
        let decision = elf_octets::decide(file.octets, file.rules, options, &mut ());
        decision.rules.schema.mechanism.is_of_extension_tags()
    };
    match files.map(is_of_7) {
        [true, true] => Schema::gedcom_7(),
        [false, false] => Schema::completed(),
        _ => elf_schema::joint_with_gedcom_7(),
    }
}
