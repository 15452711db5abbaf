//! Parts that the measurements share: the floors, the files that are read, the cases, and how they are timed.

pub mod case;
pub mod cases;
pub mod child;
pub mod data;
pub mod floors;
#[cfg(feature = "peers")]
mod foreign;
pub mod forms;
#[cfg(feature = "peers")]
mod peers;
