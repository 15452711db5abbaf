//! Exit statuses of the command.

use std::process::ExitCode;

/// The exit status of a run. With several files the gravest counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// 0: nothing to report.
    #[default]
    Clean,
    /// 1: the file has problems, or something was lost on the way.
    Problems,
    /// 2: the command could not do its work.
    Failed,
}

impl Exit {
    /// The number that the shell gets.
    pub(crate) const fn status(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Problems => 1,
            Exit::Failed => 2,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.status())
    }
}
