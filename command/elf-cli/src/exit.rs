//! Exit statuses of the command.

use std::process::ExitCode;

/// The exit status of a run. If several files have different ones, the highest counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// 0: nothing to report.
    #[default]
    Clean,
    /// 1: a file has problems, or something was lost.
    Problems,
    /// 2: the command could not do its work.
    Failed,
}

impl Exit {
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
