//! Named tests, for requirements that a vector cannot express because they are about the API or about several files.

mod dates;
mod editing;
mod meaning;
mod obligations;
mod pointers;
mod reading;
mod schemas;
mod writing;

/// A named test.
#[derive(Clone, Copy, Debug)]
pub struct NamedTest {
    /// The name, as `tests/named-tests.toml` gives it.
    pub name: &'static str,
    /// The test. An error describes the failure.
    pub run: fn() -> Result<(), String>,
}

/// All named tests.
pub const ALL: &[NamedTest] = &[
    NamedTest { name: "a line of ten million characters is read", run: reading::long_line },
    NamedTest {
        name: "an encoding that cannot be decoded ends the reading",
        run: reading::unsupported_encoding,
    },
    NamedTest { name: "string payloads have a language", run: reading::language },
    NamedTest { name: "UNDEF records are an option", run: reading::undefined_records },
    NamedTest {
        name: "the rules for found files take what is conformant",
        run: reading::wild_takes_conformant,
    },
    NamedTest {
        name: "a schema built on the drafts adds no faults and takes none away",
        run: schemas::a_schema_changes_no_verdict,
    },
    NamedTest { name: "nothing non-conformant passes in silence", run: reading::nothing_silent },
    NamedTest { name: "structures are read without schemas", run: reading::without_schemas },
    NamedTest { name: "what is not edited stays as it is", run: editing::what_is_not_edited_stays },
    NamedTest {
        name: "an edited file stays conformant, or it is said",
        run: editing::a_conformant_file_stays_so,
    },
    NamedTest { name: "faults elsewhere stay as they are", run: editing::faults_elsewhere_stay },
    NamedTest { name: "every obligation of January 2019 is met", run: obligations::january },
    NamedTest { name: "every obligation of December 2019 is met", run: obligations::december },
    NamedTest { name: "identifiers mean nothing", run: meaning::identifiers_mean_nothing },
    NamedTest { name: "capital letters in language tags mean nothing", run: meaning::case_of_language_tags },
    NamedTest { name: "order between types means nothing", run: meaning::order_between_types_means_nothing },
    NamedTest { name: "order within a type is kept", run: meaning::order_within_a_type_is_kept },
    NamedTest { name: "order of records means nothing", run: meaning::order_of_records_means_nothing },
    NamedTest { name: "every structure has one superstructure", run: meaning::one_superstructure },
    NamedTest { name: "records read one by one are those of the whole", run: meaning::record_by_record },
    NamedTest { name: "CONC stands within words", run: writing::conc_within_words },
    NamedTest { name: "lines are no longer than advised, in characters", run: writing::lines_of_characters },
    NamedTest { name: "lines are no longer than advised, in octets", run: writing::lines_of_octets },
    NamedTest { name: "no split cuts what belongs together", run: writing::nothing_is_cut },
    NamedTest { name: "what is no tag is not written", run: writing::no_tag_is_forced },
    NamedTest {
        name: "what is pointed to has an identifier",
        run: writing::what_is_pointed_to_has_an_identifier,
    },
    NamedTest { name: "an ended reading is not written", run: writing::an_ended_reading_is_not_written },
    NamedTest {
        name: "pointers lead where they led, whatever becomes of identifiers",
        run: pointers::pointers_lead_where_they_led,
    },
    NamedTest { name: "what has one tag stands side by side", run: writing::one_tag_side_by_side },
    NamedTest { name: "the submission comes first", run: writing::the_submission_comes_first },
    NamedTest { name: "every record is named", run: writing::every_record_is_named },
    NamedTest { name: "new identifiers are letters and digits", run: writing::fresh_identifiers },
    NamedTest { name: "octets in and octets out", run: writing::octets_in_and_out },
    NamedTest {
        name: "a schema served as plain text is read",
        run: schemas::a_schema_served_as_plain_text_is_read,
    },
    NamedTest {
        name: "of a fetched file only the schema counts",
        run: schemas::only_the_schema_of_a_fetched_file,
    },
    NamedTest {
        name: "references of a fetched schema are reported",
        run: schemas::references_of_a_fetched_schema_are_reported,
    },
    NamedTest {
        name: "references of a fetched schema are not followed",
        run: schemas::references_of_a_fetched_schema_are_not_followed,
    },
    NamedTest {
        name: "an external schema says which escapes are kept",
        run: schemas::an_external_schema_keeps_escapes,
    },
    NamedTest {
        name: "what is written brings the schema it was read by",
        run: schemas::what_is_written_brings_its_schema,
    },
    NamedTest { name: "shortening is undone by expansion", run: schemas::shortening_is_undone_by_expansion },
    NamedTest { name: "the default schema has its counts", run: schemas::the_default_schema_has_its_counts },
    NamedTest { name: "a type has one tag", run: schemas::one_tag_for_a_type },
    NamedTest { name: "payloads have the datatype of their type", run: dates::datatypes },
    NamedTest { name: "what may not be generated is refused", run: dates::refusals },
    NamedTest { name: "dates are spelled in other ways too", run: dates::other_spellings },
    NamedTest { name: "dates are compared where that can be", run: dates::comparisons },
    NamedTest { name: "dual years are written in full or abbreviated", run: dates::dual_years },
    NamedTest { name: "Hebrew years follow the table of four gates", run: dates::hebrew_years },
    NamedTest { name: "no end of a day is made", run: dates::ends_of_days },
    NamedTest { name: "ages are equal where nobody may tell them apart", run: dates::equal_ages },
];

/// Fails with the expected and the found value unless they are equal.
fn expect_equal<T: PartialEq + std::fmt::Debug>(what: &str, expected: &T, found: &T) -> Result<(), String> {
    if expected == found { Ok(()) } else { Err(format!("expected {what} {expected:?}, but found {found:?}")) }
}

fn expect_true(what: &str, condition: bool) -> Result<(), String> {
    if condition { Ok(()) } else { Err(format!("expected {what}")) }
}
