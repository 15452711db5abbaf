//! The changed tree to patches of the file.
//!
//! One walk over what was touched, without recursion: structures that stand where the file has them keep
//! their lines, or get patches for those that change; what was added or moved becomes text between them; what
//! left its place is cut out.

use super::line_renderer::LineRenderer;
use super::tree::{EditedTree, TOP};
use super::{EditError, Editor};
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
            speller: LineRenderer::new(now, self.style.clone()),
            patches: Vec::new(),
            after: After::Line(1),
            pending: String::new(),
        };
        render.walk()?;
        render.cut()?;
        let Render { speller, mut patches, .. } = render;
        let mut locator = self.document.locator();
        for &item in &speller.trimmed {
            let span = speller.span(item);
            let message = format!(
                "whitespace at the start or end of a line of `{}` will be trimmed by readers",
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
        self.check_end(&patches)?;
        Ok(patches)
    }

    /// Nothing can be put behind half a unit of UTF-16.
    fn check_end(&self, patches: &[Patch]) -> Result<(), EditError> {
        let source = self.document.source();
        let last = source.line_count();
        let appends = patches.last().is_some_and(|patch| patch.lines.start > last && last > 0);
        let utf16 = source.decision().used.is_utf16();
        // The mark is two octets, too.
        if appends && utf16 && source.octets().len() % 2 == 1 {
            return Err(EditError::Undecodable { line: last });
        }
        Ok(())
    }

    /// Leaves lines at either end of a patch that are the same before and after.
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
            new = new.get(..start).unwrap_or_default();
        }
        if new.len() < patch.with.len() {
            patch.with = new.to_owned();
        }
    }
}

struct Render<'e> {
    now: EditedTree<'e>,
    speller: LineRenderer<'e>,
    patches: Vec<Patch>,
    /// The place that pending lines come after.
    after: After,
    /// Lines that come in between.
    pending: String,
}

#[derive(Clone, Copy)]
enum After {
    /// In front of the line of that number.
    Line(u64),
    /// Behind a structure and all beneath it, as the file has them.
    Subtree(u32),
}

/// The way in which a structure is rendered.
#[derive(Clone, Copy)]
enum Mode {
    /// The line stands where the file has it.
    InPlace,
    /// The lines are text, at that level, indented like those of a structure of the file.
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
                Mode::Text(level, like) => self.speller.elsewhere(item, level, like, &mut self.pending)?,
            }
            self.push_below(item, mode, &mut stack);
        }
        self.flush()
    }

    /// Puts what stands beneath a structure on the stack, the last one first.
    fn push_below(&self, item: u32, mode: Mode, stack: &mut Vec<(u32, Mode)>) {
        let now = self.now;
        let written = if item == TOP { None } else { self.speller.written_level(item) };
        let below = if item == TOP { 0 } else { written.unwrap_or(0).saturating_add(1) };
        let spelled_anew = match mode {
            Mode::InPlace => false,
            Mode::Text(..) => now.change(item).is_some_and(|change| change.payload.is_some()),
        };
        let from = stack.len();
        let stays = |&child: &u32| !spelled_anew || !now.flags(child).is_continuation();
        stack.extend(now.below(item).filter(stays).map(|child| (child, mode)));
        let children = stack.get_mut(from..).unwrap_or_default();
        children.reverse();
        let stays = |child: u32| now.is_in_place(child) && !now.flags(child).is_continuation();
        let mut like = children.iter().map(|&(child, _)| child).find(|&child| stays(child));
        // The level of the next structure that stays: what is put before one that is too deep must be as
        // deep.
        let mut next = below;
        for (child, child_mode) in children {
            let level = self.speller.written_level(*child);
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
        // Continuation lines mostly follow their structure at once.
        let mut last = item;
        for &line in lines.iter().skip(1) {
            if line != last + 1 {
                break;
            }
            last = line;
        }
        if let Some(change) = now.change(item) {
            for replaced in self.speller.in_place(item, change, &lines)? {
                let old = lines.get(replaced.old.clone()).unwrap_or_default();
                self.replace(&lines, replaced.old.start, old, replaced.new)?;
            }
        }
        self.after = After::Line(self.speller.number(last)? + 1);
        Ok(())
    }

    /// Puts `new` in place of the lines `old`, which start at `at` in `lines`.
    fn replace(&mut self, lines: &[u32], at: usize, old: &[u32], mut new: String) -> Result<(), EditError> {
        if old.is_empty() {
            let before = at.checked_sub(1).and_then(|at| lines.get(at)).copied().unwrap_or_default();
            let number = self.speller.number(before)? + 1;
            self.patches.push(Patch::new(number..number, new));
            return Ok(());
        }
        // Other structures may stand between.
        for run in old.chunk_by(|one, other| *other == one + 1) {
            let (Some(&first), Some(&last)) = (run.first(), run.last()) else { continue };
            let numbers = self.speller.first_number(first)?..self.speller.number(last)? + 1;
            self.patches.push(Patch::new(numbers, std::mem::take(&mut new)));
        }
        Ok(())
    }

    /// Makes a patch of the text that is pending.
    fn flush(&mut self) -> Result<(), EditError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let number = match self.after {
            After::Line(number) => number,
            After::Subtree(item) => {
                let last = self.now.nodes().end(item).saturating_sub(1).max(item);
                self.speller.number(last)? + 1
            }
        };
        self.patches.push(Patch::new(number..number, std::mem::take(&mut self.pending)));
        Ok(())
    }

    /// Cuts out what left its place.
    fn cut(&mut self) -> Result<(), EditError> {
        let mut cuts = Vec::new();
        for &item in self.now.left() {
            let last = self.now.nodes().end(item).saturating_sub(1).max(item);
            cuts.push((self.speller.number(item)?, self.speller.number(last)? + 1));
        }
        cuts.sort_by_key(|&(_, end)| end);
        cuts.sort_by_key(|&(start, _)| start);
        let mut end = 0;
        for (from, to) in cuts {
            // One may stand within another.
            if to > end {
                self.patches.push(Patch::new(from.max(end)..to, ""));
                end = to;
            }
        }
        Ok(())
    }
}
