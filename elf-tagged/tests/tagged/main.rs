//! The tagged layer from outside: what is read as a tree, and how a tree is written.

mod answers;
mod bearers;
mod common;
mod continuations;
mod damaged_lines;
mod dangling;
mod escape_tables;
mod gedcom7;
mod header;
mod left_out;
mod line_grammar;
mod losses;
mod packed_tags;
mod payload_place;
mod pointers;
mod reader;
mod recovery;
mod renaming;
mod runs;
mod threads;
mod trees;
mod write;
mod write_document;
mod write_drafts;
mod writing;
mod xref_structures;
