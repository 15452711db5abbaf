//! E07: fetching external schemas.

use crate::code::Code;

pub(super) const ALL: &[Code] = &[];
