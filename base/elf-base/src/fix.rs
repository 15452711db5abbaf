//! Fixes of findings.

use std::borrow::Cow;

/// The fix for a finding: a change at the place of the finding, and whether the change keeps the meaning of the file.
///
/// The layer that reports the finding proposes the fix. `elf-edit` computes the changed lines, checks whether all fixes
/// of a record work together, and applies them.
///
/// ```
/// use elf_base::{Diagnostic, Fix, FixAction, Place, Rules, Safety, codes};
///
/// let found = Diagnostic::new(codes::HEADER_SPELLING, &Rules::WILD, "expected `HEAD` in capital letters")
///     .at(Place::new(2, 1, 3, 7), None)
///     .fix(Fix::safe(FixAction::Replace("HEAD".into())));
/// assert_eq!(found.fix.map(|fix| fix.safety), Some(Safety::Safe));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// Whether the fix keeps the meaning of the file. Even a safe fix may be impossible because of the lines around it.
    pub safety: Safety,
    /// What the fix changes.
    pub action: FixAction,
}

/// Whether a fix keeps the meaning of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Safety {
    /// The meaning stays the same. The file keeps the same structures with the same or equivalent payloads, or the fix
    /// repeats content that the file already has.
    Safe,
    /// The fix guesses a meaning, removes something, or hides a guess.
    Unsafe,
}

/// The change that a fix makes at the [place](crate::Place) of the finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FixAction {
    /// Replaces the text at the place. If the new text is empty, the text at the place is removed.
    Replace(Cow<'static, str>),
    /// Replaces the payload of the line. The line must contain the whole payload of its structure.
    SetPayload(Cow<'static, str>),
    /// Removes the whitespace before the line.
    RemoveIndent,
    /// Removes the zeros before the level.
    RemoveLevelZeros,
    /// Removes the cross-reference identifier of the line.
    RemoveXref,
    /// Moves the pointer that follows the tag of a record to the front of the tag, where it becomes the identifier of
    /// the record.
    IdentifierFirst,
    /// Removes the line if it is blank and not part of a payload.
    RemoveBlankLine,
    /// Corrects the levels of the lines under the superstructure of this line, so that every line has the level of its
    /// structure.
    CorrectLevels,
    /// Makes the line a continuation line of the payload to which its text was added.
    Continue,
    /// Doubles at signs in the payload of the line.
    DoubleAtSigns(AtSigns),
    /// Changes the payload of the line to a pointer to the record with this identifier. The payload is the identifier
    /// with a missing or doubled at sign. If no record or several records have the identifier, nothing is changed.
    RestorePointer(Box<str>),
    /// Writes the line again, in the encoding of the file.
    Respell,
    /// Writes the line and the next line again, in the encoding of the file.
    RespellBoth,
    /// Decodes non-ASCII text a second time, in the line and in the following lines of its record.
    DecodeAgain,
    /// Replaces the payload of CHAR by the name of the file's encoding.
    NameEncoding,
    /// Adds the trailer after the last line.
    AddTrailer,
    /// Moves the trailer at the place to the end of the file. If the file already ends in a trailer, this one is
    /// removed.
    MoveTrailer,
    /// Splits the line before the place, and removes a space at the place.
    SplitLine,
    /// Adds the missing pointer of a link to the linked record, after its last line.
    AnswerLink(Box<LinkAnswer>),
}

/// The missing half of a link between two records. The missing half is a pointer directly under the linked record,
/// which points back to the other record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkAnswer {
    /// The identifier of the record to which the pointer is added. The identifier must be unique in the file.
    pub record: Box<str>,
    /// The tag of the pointer that is added.
    pub tag: &'static str,
    /// The identifier to which the pointer points: that of the record with the existing half of the link.
    pub to: Box<str>,
}

/// The at signs of a payload that a fix doubles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtSigns {
    /// All at signs that are neither doubled nor part of an escape.
    Bare,
    /// The at sign at the place, which looks like the start of an escape but does not start one.
    OfBrokenEscape,
    /// The two at signs of the escape at the place.
    OfEscape,
}

impl Safety {
    /// Returns the name of the safety in JSON: `safe`, `unsafe`.
    pub const fn name(self) -> &'static str {
        match self {
            Safety::Safe => "safe",
            Safety::Unsafe => "unsafe",
        }
    }
}

impl Fix {
    /// Creates a fix that keeps the meaning of the file.
    pub const fn safe(action: FixAction) -> Fix {
        Fix { safety: Safety::Safe, action }
    }

    /// Creates a fix that guesses the meaning of the file.
    pub const fn guess(action: FixAction) -> Fix {
        Fix { safety: Safety::Unsafe, action }
    }
}
