//! E05: datasets.

use crate::code::Code;

pub(super) const ALL: &[Code] = &[];
