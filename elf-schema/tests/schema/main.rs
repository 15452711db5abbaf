//! Schemas from outside: what files carry, what is built in, and the types that come of both.

mod carried;
mod corpus;
mod drafts;
mod gedcom7;
mod hostile;
mod passes;
mod paths;
mod threads;
mod undefined;
mod values;
mod vendors;
mod writing;
