//! Recognizes tags with an underscore that stand for structures of GEDCOM 7.0 (MG100, MG101, MG110, MG113).
//!
//! GEDCOM 5.5.1 has no schema. A structure that it does not allow gets the tag of GEDCOM 7.0 with an underscore, and
//! nothing in the file says what that means. A vendor may use the same tag for something else. So such a structure is
//! only converted back to GEDCOM 7.0 if all of these conditions hold:
//!
//! * the tag is on a closed list, and GEDCOM 7.0 has the tag without underscore under the superstructure;
//! * GEDCOM 5.5.1 has no place for the structure by its own tag; if it has, the tag with the underscore means
//!   something else (`_DATE` next to the `DATE` of an event);
//! * its payload and its required substructures are valid; a pointer to nothing is written without a payload,
//!   and recognized by its `PHRASE`, which GEDCOM 5.5.1 does not have;
//! * GEDCOM 7.0 allows as many structures as there are with both tags, so that none has to be chosen.
//!
//! A tag that a schema documents has the meaning of its IRI; only the last condition applies to it.

use crate::fitted;
use crate::grammar::{Place7, Structure7};
use crate::record::{Id, Record, Value};
use crate::siblings::Siblings;
use crate::validity;

/// Tags that mean the same with an underscore in files of GEDCOM 5.5.1, under any superstructure.
const EARLY: &[&str] = &[
    "_PHRASE", "_CROP", "_MIME", "_TRAN", "_ASSO", "_NO", "_EXID", "_CREA", "_DATE", "_RESN", "_QUAY",
    "_PHON", "_FAX", "_WWW", "_SDATE",
];

/// Returns whether a structure with an undocumented tag stands for one of GEDCOM 7.0. `has_tag` returns whether GEDCOM
/// 5.5.1 allows the tag without underscore under the superstructure.
pub(crate) fn stands_for(
    record: &Record<'_>,
    parent: Structure7,
    id: Id,
    siblings: &mut Siblings,
    has_tag: impl FnOnce(&str) -> bool,
) -> bool {
    let tag = &*record.get(id).tag;
    let Some((plain, structure)) = without_underscore(parent, tag) else { return false };
    if !is_listed(parent.term(), tag) {
        return false;
    }
    let place = Place7 { parent, structure };
    let before = siblings.count(record, plain);
    (!has_tag(plain) || fitted::has_no_place(record, id, place, before))
        && siblings.is_within_limit(record, parent, plain, &[tag])
        && is_valid(record, id, place)
}

/// Returns whether a structure with an undocumented tag stands for a null pointer with a phrase.
pub(crate) fn is_void_pointer(
    record: &Record<'_>,
    parent: Structure7,
    id: Id,
    siblings: &mut Siblings,
) -> bool {
    let structure = record.get(id);
    let Some((plain, found)) = without_underscore(parent, &structure.tag) else { return false };
    let is_known = |id: &Id| found.substructure(&record.get(*id).tag).is_some();
    found.is_pointer()
        && structure.payload == Value::None
        && record.find(id, "PHRASE").is_some()
        && structure.below.iter().all(is_known)
        && siblings.is_within_limit(record, parent, plain, &[&*structure.tag])
}

/// Finds the structure of GEDCOM 7.0 that has a tag without its underscore.
fn without_underscore(parent: Structure7, tag: &str) -> Option<(&str, Structure7)> {
    let plain = tag.strip_prefix('_')?;
    Some((plain, parent.substructure(plain)?))
}

/// Returns whether programs are known to use this tag for a structure that has another tag in GEDCOM 7.0 (MG40 to
/// MG47).
pub(crate) fn is_used_by_programs(parent: Structure7, tag: &str) -> bool {
    let standard = match tag {
        "_CRE" | "_CREAT" => "CREA",
        "_INIT" => "INIL",
        "_UID" => "UID",
        "_EMAIL" => "EMAIL",
        "_FID" | "_FSFTID" => "EXID",
        _ => return false,
    };
    parent.substructure(standard).is_some()
}

/// Returns whether a structure of GEDCOM 7.0 with the tag `tag`, written as `made`, will be recognized when it is
/// converted back.
pub(crate) fn is_recognized_on_return(
    record: &Record<'_>,
    place: Place7,
    id: Id,
    tag: &str,
    made: &str,
    siblings: &mut Siblings,
) -> bool {
    match made {
        "_CREAT" => siblings.is_within_limit(record, place.parent, tag, &["_CRE", "_CREA", made]),
        "_INIT" => true,
        _ => {
            is_listed(place.parent.term(), made)
                && siblings.is_within_limit(record, place.parent, tag, &[made])
                && is_valid(record, id, place)
        }
    }
}

fn is_valid(record: &Record<'_>, id: Id, place: Place7) -> bool {
    validity::has_valid_payload(record, id, place) && validity::has_required(record, id, place.structure)
}

/// Returns whether a tag with an underscore is listed for superstructures of a term.
fn is_listed(parent: &str, tag: &str) -> bool {
    EARLY.contains(&tag)
        || match parent {
            "HEAD" => matches!(tag, "_LANG" | "_NOTE" | "_SNOTE"),
            "record-SUBM" => matches!(tag, "_LANG" | "_REFN"),
            "record-FAM" => tag == "_NCHI",
            "PLAC" => matches!(tag, "_NOTE" | "_SNOTE" | "_MAP" | "_LANG"),
            "TEXT" => tag == "_LANG",
            "NOTE" | "record-SNOTE" => matches!(tag, "_LANG" | "_SOUR"),
            "INDI-NCHI" | "FAM-NCHI" => tag != "_UID",
            "DATE" | "DATE-exact" => tag == "_TIME",
            _ => false,
        }
}
