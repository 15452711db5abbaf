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
                Some(_) => Arc::new(joint.with_vendor_tags(producer)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use elf_schema::vendors::VendorTag;

    #[test]
    fn only_the_program_of_both_files_has_its_own_dictionary() {
        let ftm = Producer::named("FTM").expect("a producer");
        let is_same = |one: &VendorTag, tag: &VendorTag| {
            one.tag() == tag.tag() && one.structure_type() == tag.structure_type()
        };
        let is_own = |tag: &VendorTag| {
            tag.is_of(ftm) && !VendorTag::all().any(|one| is_same(&one, tag) && one.is_common())
        };
        let own = VendorTag::all().find(is_own).expect("a tag of only some programs");
        let common = VendorTag::all().find(|tag| tag.is_common()).expect("a common tag");
        let file = |source: &str, version: &str| {
            let form = if version == "7.0" { "" } else { "2 FORM LINEAGE-LINKED\n1 CHAR UTF-8\n" };
            format!("0 HEAD\n1 SOUR {source}\n1 GEDC\n2 VERS {version}\n{form}0 TRLR\n")
        };
        let old = file("FTM", "5.5.1");
        for (other, has_own) in [
            (file("FTM", "7.0"), true),
            (file("Gramps", "7.0"), false),
            (file("FTM", "5.5.1"), true),
            (file("Gramps", "5.5.1"), false),
        ] {
            for files in [[&old, &other], [&other, &old]] {
                let files = files.map(|text| FileToCompare { octets: text.as_bytes(), rules: &Rules::WILD });
                let schema = common_schema(files, &Options::default());
                assert!(schema.type_of(common.structure_type()).is_some(), "{other}");
                let is_defined = schema
                    .definitions()
                    .any(|one| one.tag() == own.tag() && one.structure_type() == own.structure_type());
                assert_eq!(is_defined, has_own, "{other}");
            }
        }
    }
}
