//! The configuration of `elf check`. The configuration consists of a file `elf.toml`, and of the words by which users
//! choose findings.
//!
//! A configuration may come from a stranger, together with data. So it contains only words and path patterns, and
//! cannot name a file or an address to read from or write to. An unknown key is an error with its place.
//!
//! ```
//! use elf_base::{Class, codes};
//! use elf_check::config::{Choice, Config};
//!
//! let text = "[check]\nignore = [\"advice\"]\n\n[[check.files]]\nglob = \"old/*.ged\"\ndeny = [\"E03\"]\n";
//! let config = Config::parse("elf.toml", text.as_bytes())?;
//! let section = config.section(Some("old/a.ged"), None);
//! let choice = Choice::new(Vec::new(), section.ignore.unwrap_or_default(), section.deny.unwrap_or_default());
//! assert!(!choice.reports_code(codes::AT_SIGN_BARE, Class::Advice));
//! assert!(choice.fails_code(codes::AT_SIGN_BARE, Class::Deprecated));
//!
//! let wrong = Config::parse("elf.toml", b"[check]\nwrite = true\n").unwrap_err();
//! assert_eq!(wrong.to_string(), "elf.toml, line 2: unknown key `write`; expected `rules`, `select`, `ignore`, `deny`, `against`, `facts` or `files`");
//! # Ok::<(), elf_check::config::ConfigError>(())
//! ```
//!
//! This crate opens no files. The caller of this crate finds and reads the configuration.

mod choice;
mod error;
mod file;
mod section;
mod words;

pub use choice::Choice;
pub use error::{ConfigError, ConfigPlace};
pub use file::Config;
pub use section::{Section, StandardChoice, ThresholdChanges};
pub use words::{FindingWord, parse_denied};
