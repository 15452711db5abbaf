//! Changes that are proposed, and not applied yet.

use crate::error::ToolError;
use crate::session::Session;
use crate::snapshot::Snapshot;
use crate::twin::TwinEdit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The most proposals that are kept. The oldest are dropped.
const MOST: usize = 100;

/// The proposals of a session, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Proposals {
    waiting: BTreeMap<u64, Proposal>,
    /// The last number that was given.
    last: u64,
}

/// A change that is proposed.
#[derive(Clone, Debug)]
pub(crate) struct Proposal {
    pub(crate) number: u64,
    /// The number of the file in the session.
    pub(crate) file: usize,
    /// The hash of the file that it is a change of.
    pub(crate) hash: String,
    pub(crate) kind: ChangeKind,
    pub(crate) summary: String,
    pub(crate) edit: TwinEdit,
}

/// What a change does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ChangeKind {
    #[default]
    Edits,
    Fact,
    Merge,
    Replacement,
}

impl Session {
    /// Keeps a change, and gives it a number that no change of the served files has, not even one made before a restart.
    pub(crate) fn propose(
        &mut self,
        file: usize,
        snapshot: &Snapshot,
        kind: ChangeKind,
        summary: String,
        edit: TwinEdit,
    ) -> Result<Proposal, ToolError> {
        if edit.patches.is_empty() {
            return Err(ToolError::new("the file already says that: no line would change"));
        }
        let number = self.new_number()?;
        let proposal = Proposal { number, file, hash: snapshot.hash.clone(), kind, summary, edit };
        self.proposals.waiting.insert(number, proposal.clone());
        while self.proposals.waiting.len() > MOST {
            self.proposals.waiting.pop_first();
        }
        Ok(proposal)
    }

    /// Returns a number that no proposal of this session and no change of the served files has.
    pub(crate) fn new_number(&mut self) -> Result<u64, ToolError> {
        let mut last = self.proposals.last;
        for file in &self.files {
            let numbers = file.journal.entries(&*self.disk)?.into_iter().map(|entry| entry.number);
            last = numbers.fold(last, u64::max);
        }
        let number = last
            .checked_add(1)
            .ok_or_else(|| ToolError::new("a journal has the largest number: the user can move it away"))?;
        self.proposals.last = number;
        Ok(number)
    }

    /// A proposal that has not been applied.
    pub(crate) fn proposal(&self, number: u64) -> Option<&Proposal> {
        self.proposals.waiting.get(&number)
    }

    pub(crate) fn drop_proposal(&mut self, number: u64) {
        self.proposals.waiting.remove(&number);
    }

    pub(crate) fn waiting_proposals(&self) -> impl Iterator<Item = &Proposal> {
        self.proposals.waiting.values()
    }
}
