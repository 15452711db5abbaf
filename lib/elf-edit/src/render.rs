//! Makes patches of the file from the edited tree.
//!
//! One walk over the changed structures, without recursion: structures at their place in the file keep their
//! lines, or get patches for the lines that change; added and moved structures become text between them; the
//! lines of moved and removed structures are cut out.

use crate::line_renderer::{LineRenderer, LineReplacement};
use crate::tree::{EditedTree, TOP};
use crate::{EditError, Editor};
use elf_base::{Diagnostic, Sink, codes};
use elf_octets::Patch;

impl Editor<'_> {
    /// The patches that make the edits.
    pub(super) fn render(&self, sink: &mut dyn Sink) -> Result<Vec<Patch>, EditError> {
        let now = self.now();
        if !now.is_touched(TOP) {
            return Ok(Vec::new());
        }
        let mut render = Render {
            now,
            renderer: LineRenderer::new(now),
            patches: Vec::new(),
            after: After::Line(1),
            pending: String::new(),
        };
        render.walk()?;
        render.cut()?;
        let Render { renderer, mut patches, .. } = render;
        let mut locator = self.document.locator();
        for &item in &renderer.trimmed {
            let span = renderer.span(item);
            let message = format!(
                "readers will trim the whitespace at the start or end of a line of `{}`",
                now.tag(item)
            );
            let finding = Diagnostic::new(codes::WHITESPACE_CANNOT_BE_KEPT, self.document.rules(), message);
            sink.report(finding.at(locator.place(span), locator.excerpt(span)));
        }
        patches.sort_by_key(|patch| (patch.lines.start, patch.lines.end));
        for patch in &mut patches {
            self.trim(patch);
        }
        patches.retain(|patch| !patch.lines.is_empty() || !patch.with.is_empty());
        patches.dedup_by(|next, last| join_cuts(last, next));
        self.check_end(&patches)?;
        Ok(patches)
    }

    /// Checks that nothing is appended after half a unit of UTF-16.
    fn check_end(&self, patches: &[Patch]) -> Result<(), EditError> {
        let source = self.document.source();
        let last = source.line_count();
        let appends = patches.last().is_some_and(|patch| patch.lines.start > last && last > 0);
        let utf16 = source.decision().used.is_utf16();
        // The byte-order mark has two bytes too.
        if appends && utf16 && source.octets().len() % 2 == 1 {
            return Err(EditError::Undecodable { line: last });
        }
        Ok(())
    }

    /// Removes the lines at either end of a patch that do not change.
    fn trim(&self, patch: &mut Patch) {
        let source = self.document.source();
        let mut new = &*patch.with;
        while patch.lines.start < patch.lines.end
            && let Some((line, rest)) = new.split_once('\n')
            && source.line_text(patch.lines.start) == Some(line)
        {
            patch.lines.start += 1;
            new = rest;
        }
        while patch.lines.start < patch.lines.end
            && let Some(lines) = new.strip_suffix('\n')
        {
            let start = lines.rfind('\n').map_or(0, |at| at + 1);
            if source.line_text(patch.lines.end - 1) != lines.get(start..) {
                break;
            }
            patch.lines.end -= 1;
            new = &new[..start];
        }
        if new.len() < patch.with.len() {
            patch.with = new.to_owned();
        }
    }
}

/// Makes two cuts that touch one; tells whether they do.
fn join_cuts(last: &mut Patch, next: &Patch) -> bool {
    let touch = last.with.is_empty() && next.with.is_empty() && last.lines.end == next.lines.start;
    if touch {
        last.lines.end = next.lines.end;
    }
    touch
}

struct Render<'e> {
    now: EditedTree<'e>,
    renderer: LineRenderer<'e>,
    patches: Vec<Patch>,
    /// The place of the pending lines.
    after: After,
    /// New lines that are not in a patch yet.
    pending: String,
}

#[derive(Clone, Copy)]
enum After {
    /// Before the line with this number.
    Line(u64),
    /// After a structure of the file and its substructures.
    Subtree(u32),
}

/// How a structure is rendered.
#[derive(Clone, Copy)]
enum Mode {
    /// Its line stays at its place in the file.
    InPlace,
    /// Its lines are written at this level, indented like the lines of a structure of the file.
    Text(u32, Option<u32>),
}

impl Render<'_> {
    fn walk(&mut self) -> Result<(), EditError> {
        let mut stack = Vec::new();
        self.push_below(TOP, Mode::InPlace, &mut stack);
        while let Some((item, mode)) = stack.pop() {
            match mode {
                Mode::InPlace => {
                    self.flush()?;
                    let continuation = self.now.flags(item).is_continuation();
                    if continuation || !self.now.is_touched(item) {
                        self.after = After::Subtree(item);
                        continue;
                    }
                    self.in_place(item)?;
                }
                Mode::Text(level, like) => self.renderer.elsewhere(item, level, like, &mut self.pending)?,
            }
            self.push_below(item, mode, &mut stack);
        }
        self.flush()
    }

    /// Pushes the substructures of a structure, the last one first.
    fn push_below(&self, item: u32, mode: Mode, stack: &mut Vec<(u32, Mode)>) {
        let now = self.now;
        let written = if item == TOP { None } else { self.renderer.written_level(item) };
        let below = if item == TOP { 0 } else { written.unwrap_or(0).saturating_add(1) };
        let spelled_anew = match mode {
            Mode::InPlace => false,
            Mode::Text(..) => now.change(item).is_some_and(|change| change.payload.is_some()),
        };
        let from = stack.len();
        let stays = |&child: &u32| !spelled_anew || !now.flags(child).is_continuation();
        stack.extend(now.below(item).filter(stays).map(|child| (child, mode)));
        let children = &mut stack[from..];
        children.reverse();
        let stays = |child: u32| now.is_in_place(child) && !now.flags(child).is_continuation();
        let mut like = children.iter().map(|&(child, _)| child).find(|&child| stays(child));
        // The level of the next structure that stays: a structure before one that is too deep gets the same
        // level.
        let mut next = below;
        for (child, child_mode) in children {
            let level = self.renderer.written_level(*child);
            *child_mode = match mode {
                Mode::InPlace if now.is_in_place(*child) => {
                    if stays(*child) {
                        next = level.unwrap_or(below).max(below);
                        like = Some(*child);
                    }
                    Mode::InPlace
                }
                Mode::InPlace => Mode::Text(next, like),
                Mode::Text(above, _) => {
                    let deeper = match (level, written) {
                        (Some(level), Some(written)) if now.is_in_place(*child) => {
                            level.saturating_sub(written)
                        }
                        _ => 1,
                    };
                    Mode::Text(above.saturating_add(deeper), None)
                }
            };
        }
    }

    /// Patches the lines of a structure that stays where it is.
    fn in_place(&mut self, item: u32) -> Result<(), EditError> {
        let now = self.now;
        let nodes = now.nodes();
        let mut lines = vec![item];
        lines.extend(nodes.children(item).filter(|&child| nodes.flags(child).is_continuation()));
        // The continuation lines that directly follow the structure.
        let mut last = item;
        for &line in lines.iter().skip(1) {
            if line != last + 1 {
                break;
            }
            last = line;
        }
        if let Some(change) = now.change(item) {
            for replaced in self.renderer.in_place(item, change, &lines)? {
                self.replace(&lines, replaced)?;
            }
        }
        self.after = After::Line(self.renderer.number(last)? + 1);
        Ok(())
    }

    /// Replaces some of the lines of a structure.
    fn replace(&mut self, lines: &[u32], replaced: LineReplacement) -> Result<(), EditError> {
        let LineReplacement { old, mut new } = replaced;
        if old.is_empty() {
            // Nothing is inserted before the structure's own line.
            let before = lines[old.start - 1];
            let number = self.renderer.number(before)? + 1;
            self.patches.push(Patch::new(number..number, new));
            return Ok(());
        }
        // There may be other structures between the lines.
        for run in lines[old].chunk_by(|one, other| *other == one + 1) {
            let (Some(&first), Some(&last)) = (run.first(), run.last()) else { continue };
            let numbers = self.renderer.first_number(first)?..self.renderer.number(last)? + 1;
            self.patches.push(Patch::new(numbers, std::mem::take(&mut new)));
        }
        Ok(())
    }

    /// Makes a patch of the pending lines.
    fn flush(&mut self) -> Result<(), EditError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let number = match self.after {
            After::Line(number) => number,
            After::Subtree(item) => {
                let last = self.now.nodes().end(item).saturating_sub(1).max(item);
                self.renderer.number(last)? + 1
            }
        };
        self.patches.push(Patch::new(number..number, std::mem::take(&mut self.pending)));
        Ok(())
    }

    /// Cuts out the lines of moved and removed structures.
    fn cut(&mut self) -> Result<(), EditError> {
        let mut cuts = Vec::new();
        for &item in self.now.left() {
            let last = self.now.nodes().end(item).saturating_sub(1).max(item);
            cuts.push((self.renderer.number(item)?, self.renderer.number(last)? + 1));
        }
        cuts.sort();
        let mut end = 0;
        for (from, to) in cuts {
            // A removed structure may contain others.
            if to > end {
                self.patches.push(Patch::new(from.max(end)..to, ""));
                end = to;
            }
        }
        Ok(())
    }
}
