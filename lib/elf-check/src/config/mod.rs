//! The configuration of `elf check`: an `elf.toml`, and the words that choose among findings.
//!
//! A configuration may lie beside a stranger's data. So it holds words and patterns of paths, and nothing
//! that names a place to read, to write or to fetch from. An unknown key is an error with its place.
//!
//! ```
//! use elf_base::{Class, codes};
//! use elf_check::config::{Choice, Config};
//!
//! let text = "[check]\nignore = [\"advice\"]\n\n[[check.files]]\nglob = \"old/*.ged\"\ndeny = [\"E03\"]\n";
//! let config = Config::parse("elf.toml", text.as_bytes())?;
//! let section = config.section(Some("old/a.ged"), None);
//! let choice = Choice::new(Vec::new(), section.ignore.unwrap_or_default(), section.deny.unwrap_or_default());
//! assert!(!choice.takes_code(codes::AT_SIGN_BARE, Class::Advice));
//! assert!(choice.fails_code(codes::AT_SIGN_BARE, Class::Deprecated));
//!
//! let wrong = Config::parse("elf.toml", b"[check]\nwrite = true\n").unwrap_err();
//! assert_eq!(wrong.to_string(), "elf.toml, line 2: unknown key `write`; expected `rules`, `select`, `ignore`, `deny`, `against`, `facts` or `files`");
//! # Ok::<(), elf_check::config::ConfigError>(())
//! ```
//!
//! The files are found and read by who uses the crate, which opens none.

mod choice;
mod error;
mod file;
mod section;
mod settings;
mod words;

pub use choice::Choice;
pub use error::ConfigError;
pub use file::Config;
pub use section::{HeldAgainst, Section, ThresholdChanges};
pub use settings::Settings;
pub use words::{FindingWord, denied};
