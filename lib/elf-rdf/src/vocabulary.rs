//! The properties of structures. ELF defines types but no properties, so these are our own.

/// The namespace of the properties.
pub const NAMESPACE: &str = "https://terms.fhiso.org/elf/property/";

/// From a structure to each of its substructures, and from a file to its records.
pub const SUBSTRUCTURE: &str = "https://terms.fhiso.org/elf/property/substructure";
/// The number of a substructure, from 1, among the substructures of the same type beside it. The
/// first name, for example, is the preferred one.
pub const POSITION: &str = "https://terms.fhiso.org/elf/property/position";
/// From a structure with a pointer to the structure that it points to.
pub const POINTS_TO: &str = "https://terms.fhiso.org/elf/property/pointsTo";
/// A date in EDTF.
pub const EDTF: &str = "https://terms.fhiso.org/elf/property/edtf";
/// The first day that a date may mean, in the Gregorian calendar.
pub const FIRST_DAY: &str = "https://terms.fhiso.org/elf/property/firstDay";
/// The last day that a date may mean, in the Gregorian calendar.
pub const LAST_DAY: &str = "https://terms.fhiso.org/elf/property/lastDay";

/// The identifier of a structure, as the file has it.
pub(crate) const IDENTIFIER: &str = "http://purl.org/dc/terms/identifier";
/// The datatype of dates in EDTF.
pub(crate) const EDTF_DATATYPE: &str = "http://id.loc.gov/datatypes/edtf/EDTF";
