//! Chooses the schema by which two files are compared.

use elf_base::Rules;
use elf_schema::vendors::Producer;
use elf_schema::{Options, Schema};
use elf_tagged::Reader;
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
/// Where the dictionary of [vendor tags](elf_schema::vendors) applies, the schema has it: for the program that wrote both
/// files, otherwise the part that all programs have in common.
///
/// ```
/// use elf_model::elf_schema::{Options, Schema};
/// use elf_model::{FileToCompare, Rules, common_schema};
/// use std::sync::Arc;
///
/// let file = FileToCompare { octets: b"0 HEAD\n1 GEDC\n2 VERS 7.0\n0 TRLR\n", rules: &Rules::WILD };
/// assert!(Arc::ptr_eq(&common_schema([file, file], &Options::default()), Schema::gedcom_7()));
/// ```
pub fn common_schema(files: [FileToCompare<'_>; 2], options: &Options) -> Arc<Schema> {
    let [one, two] = files.map(|file| FileStart::read(file, options));
    let is_of_7 = |start: &FileStart| start.rules.schema.mechanism.is_of_extension_tags();
    let producer = one.producer.filter(|_| one.producer == two.producer);
    let with_dictionary = |start: &FileStart| Schema::default_with_vendor_tags(&start.rules, producer);
    match [is_of_7(&one), is_of_7(&two)] {
        [true, true] => Arc::clone(Schema::gedcom_7()),
        [false, false] => {
            let both = with_dictionary(&one).filter(|_| with_dictionary(&two).is_some());
            Arc::clone(both.unwrap_or_else(Schema::completed))
        }
        [first_is_of_7, _] => {
            let joint = elf_schema::joint_with_gedcom_7();
            let other = if first_is_of_7 { &two } else { &one };
            match with_dictionary(other) {
                Some(_) => Arc::new(joint.with_vendor_tags(other.producer)),
                None => Arc::clone(joint),
            }
        }
    }
}

/// What the start of a file says about its schema.
struct FileStart {
    /// The rules of its standard.
    rules: Rules,
    /// The program that wrote it.
    producer: Option<Producer>,
}

impl FileStart {
    fn read(file: FileToCompare<'_>, options: &Options) -> FileStart {
        let mut reader = Reader::new(file.octets, file.rules, options);
        // Where the file cannot be read, the reader of the whole file reports why.
        let run = reader.next_run(&mut ()).ok().flatten();
        FileStart {
            rules: run.as_ref().map_or(*file.rules, |run| *run.rules()),
            producer: run.as_ref().and_then(Producer::of),
        }
    }
}
