//! Converts the edited tree into patches of the file.
//!
//! The changed structures are visited once, without recursion. A structure that stays at its place keeps its lines, or
//! its changed lines get patches. Added and moved structures become text between these lines. The lines of moved and
//! removed structures are removed from their places.

use crate::line_renderer::{LineRenderer, LineReplacement};
use crate::tree::{EditedTree, TOP};
use crate::{EditError, Editor};
use elf_base::{Diagnostic, Sink, codes};
use elf_octets::Patch;

impl Editor<'_> {
    pub(super) fn render_patches(&self, sink: &mut dyn Sink) -> Result<Vec<Patch>, EditError> {
        let now = self.edited_tree();
        if !now.has_changes(TOP) {
            return Ok(Vec::new());
        }
        let mut render = PatchRenderer {
            now,
            renderer: LineRenderer::new(now),
            patches: Vec::new(),
            place: PendingPlace::Line(1),
            pending: String::new(),
        };
        render.render_changes()?;
        render.cut_vacated_lines()?;
        let PatchRenderer { renderer, mut patches, .. } = render;
        let mut locator = self.document.locator();
        for &item in &renderer.trimmed {
            let span = renderer.span_of(item);
            let message = format!(
                "readers will trim the whitespace at the start or end of a line of `{}`",
                now.tag(item)
            );
            let finding = Diagnostic::new(codes::WHITESPACE_CANNOT_BE_KEPT, self.document.rules(), message);
            sink.report(finding.at(locator.place(span), locator.excerpt(span)));
        }
        patches.sort_by_key(|patch| (patch.lines.start, patch.lines.end));
        for patch in &mut patches {
            self.trim_unchanged_lines(patch);
        }
        patches.retain(|patch| !patch.lines.is_empty() || !patch.with.is_empty());
        patches.dedup_by(|next, last| join_cuts(last, next));
        self.check_appended_bytes(&patches)?;
        Ok(patches)
    }

    /// Returns an error if text would be appended after half of a UTF-16 code unit.
    fn check_appended_bytes(&self, patches: &[Patch]) -> Result<(), EditError> {
        let source = self.document.source();
        let last = source.line_count();
        let appends = patches.last().is_some_and(|patch| patch.lines.start > last && last > 0);
        let utf16 = source.decision().used.is_utf16();
        // The byte-order mark also has two bytes, so an odd length means half a code unit.
        if appends && utf16 && source.octets().len() % 2 == 1 {
            return Err(EditError::Undecodable { line: last });
        }
        Ok(())
    }

    /// Removes unchanged lines from the start and the end of a patch.
    fn trim_unchanged_lines(&self, patch: &mut Patch) {
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

/// Joins two adjacent patches that remove lines. Returns whether it joined them.
fn join_cuts(last: &mut Patch, next: &Patch) -> bool {
    let touch = last.with.is_empty() && next.with.is_empty() && last.lines.end == next.lines.start;
    if touch {
        last.lines.end = next.lines.end;
    }
    touch
}

struct PatchRenderer<'e> {
    now: EditedTree<'e>,
    renderer: LineRenderer<'e>,
    patches: Vec<Patch>,
    /// The place at which the pending lines will be inserted.
    place: PendingPlace,
    /// The new lines that are not in a patch yet.
    pending: String,
}

#[derive(Clone, Copy)]
enum PendingPlace {
    /// The pending lines are inserted before the line with this number.
    Line(u64),
    /// The pending lines are inserted after a structure of the file and its substructures.
    Subtree(u32),
}

#[derive(Clone, Copy)]
enum RenderMode {
    /// The line of the structure stays at its place in the file.
    InPlace,
    /// The lines of the structure are written at this level. The lines are indented like the lines of a structure of
    /// the file.
    Text(u32, Option<u32>),
}

impl PatchRenderer<'_> {
    fn render_changes(&mut self) -> Result<(), EditError> {
        let mut stack = Vec::new();
        self.push_substructures(TOP, RenderMode::InPlace, &mut stack);
        while let Some((item, mode)) = stack.pop() {
            match mode {
                RenderMode::InPlace => {
                    self.flush_pending_lines()?;
                    let continuation = self.now.flags(item).is_continuation();
                    if continuation || !self.now.has_changes(item) {
                        self.place = PendingPlace::Subtree(item);
                        continue;
                    }
                    self.render_in_place(item)?;
                }
                RenderMode::Text(level, like) => {
                    self.renderer.render_elsewhere(item, level, like, &mut self.pending)?
                }
            }
            self.push_substructures(item, mode, &mut stack);
        }
        self.flush_pending_lines()
    }

    /// Pushes the substructures onto the stack, with the last one first.
    fn push_substructures(&self, item: u32, mode: RenderMode, stack: &mut Vec<(u32, RenderMode)>) {
        let now = self.now;
        let written = if item == TOP { None } else { self.renderer.written_level(item) };
        let below = if item == TOP { 0 } else { written.unwrap_or(0).saturating_add(1) };
        let spelled_anew = match mode {
            RenderMode::InPlace => false,
            RenderMode::Text(..) => now.change(item).is_some_and(|change| change.payload.is_some()),
        };
        let from = stack.len();
        let stays = |&child: &u32| !spelled_anew || !now.flags(child).is_continuation();
        stack.extend(now.items_below(item).filter(stays).map(|child| (child, mode)));
        let children = &mut stack[from..];
        children.reverse();
        let stays = |child: u32| now.is_in_place(child) && !now.flags(child).is_continuation();
        let mut like = children.iter().map(|&(child, _)| child).find(|&child| stays(child));
        // This is the level of the next structure that stays at its place. A structure before one that is too deep gets
        // the same level.
        let mut next = below;
        for (child, child_mode) in children {
            let level = self.renderer.written_level(*child);
            *child_mode = match mode {
                RenderMode::InPlace if now.is_in_place(*child) => {
                    if stays(*child) {
                        next = level.unwrap_or(below).max(below);
                        like = Some(*child);
                    }
                    RenderMode::InPlace
                }
                RenderMode::InPlace => RenderMode::Text(next, like),
                RenderMode::Text(above, _) => {
                    let deeper = match (level, written) {
                        (Some(level), Some(written)) if now.is_in_place(*child) => {
                            level.saturating_sub(written)
                        }
                        _ => 1,
                    };
                    RenderMode::Text(above.saturating_add(deeper), None)
                }
            };
        }
    }

    fn render_in_place(&mut self, item: u32) -> Result<(), EditError> {
        let now = self.now;
        let nodes = now.nodes();
        let mut lines = vec![item];
        lines.extend(nodes.children(item).filter(|&child| nodes.flags(child).is_continuation()));
        // Find the continuation lines directly after the structure.
        let mut last = item;
        for &line in lines.iter().skip(1) {
            if line != last + 1 {
                break;
            }
            last = line;
        }
        if let Some(change) = now.change(item) {
            for replaced in self.renderer.render_in_place(item, change, &lines)? {
                self.replace_lines(&lines, replaced)?;
            }
        }
        self.place = PendingPlace::Line(self.renderer.line_number(last)? + 1);
        Ok(())
    }

    fn replace_lines(&mut self, lines: &[u32], replaced: LineReplacement) -> Result<(), EditError> {
        let LineReplacement { old, mut new } = replaced;
        if old.is_empty() {
            // Nothing is inserted before the line of the structure itself.
            let before = lines[old.start - 1];
            let number = self.renderer.line_number(before)? + 1;
            self.patches.push(Patch::new(number..number, new));
            return Ok(());
        }
        // There may be other structures between the lines.
        for run in lines[old].chunk_by(|one, other| *other == one + 1) {
            let (Some(&first), Some(&last)) = (run.first(), run.last()) else { continue };
            let numbers = self.renderer.first_line_number(first)?..self.renderer.line_number(last)? + 1;
            self.patches.push(Patch::new(numbers, std::mem::take(&mut new)));
        }
        Ok(())
    }

    fn flush_pending_lines(&mut self) -> Result<(), EditError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let number = match self.place {
            PendingPlace::Line(number) => number,
            PendingPlace::Subtree(item) => {
                let last = self.now.nodes().subtree_end(item).saturating_sub(1).max(item);
                self.renderer.line_number(last)? + 1
            }
        };
        self.patches.push(Patch::new(number..number, std::mem::take(&mut self.pending)));
        Ok(())
    }

    fn cut_vacated_lines(&mut self) -> Result<(), EditError> {
        let mut cuts = Vec::new();
        for &item in self.now.vacated_nodes() {
            let last = self.now.nodes().subtree_end(item).saturating_sub(1).max(item);
            cuts.push((self.renderer.line_number(item)?, self.renderer.line_number(last)? + 1));
        }
        cuts.sort_unstable();
        let mut end = 0;
        for (from, to) in cuts {
            // A removed structure may contain other removed structures.
            if to > end {
                self.patches.push(Patch::new(from.max(end)..to, ""));
                end = to;
            }
        }
        Ok(())
    }
}
