// The findings of a file: counted, filtered, and grouped by code.
import type { CountOfCode, Finding, FindingClass, FixedLines, Report } from "./elf.js";
import { byId, counted, fill, grouped, make, moreList, quoted, show, visible } from "./dom.js";
import { sentence } from "./files.js";
import { type Filter, MOST_FINDINGS, type Matches, collect } from "./filter.js";
import { manualPage } from "./markdown.js";

/** The number of findings of a code that are shown at first, and added by each click. */
const SHOWN = 20;

/** The classes, the gravest first, with what they mean. */
const CLASSES: [FindingClass, string, string][] = [
  ["malformed", "Malformed", "The file breaks the format so that a strict reader may stop."],
  ["non-conformant", "Non-conformant", "The file can be read, but it breaks a rule of its standard."],
  ["deprecated", "Deprecated", "The standard allows this, but new files should not have it."],
  ["advice", "Advice", "This follows the format, but it is probably a mistake."],
  ["question", "Question", "A fact looks implausible. Only you can know whether it is right."],
];

/** The time after the last change of the filter until all findings of a large file are searched, in milliseconds. */
const PAUSE = 300;

/** The findings on the page. */
export class FindingsView {
  private report: Report | undefined;
  private readonly form = byId<HTMLFormElement>("filter-form");
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The number of the last change. What comes later for an older one is ignored. */
  private number = 0;

  /**
   * `search` looks at all findings of the file. It returns nothing if the search is cancelled or fails, or is no
   * longer wanted when it could start.
   */
  constructor(
    private readonly explain: (code: string) => Promise<string>,
    private readonly search: (filter: Filter, isWanted: () => boolean) => Promise<Matches | undefined>,
  ) {
    this.form.addEventListener("input", () => this.narrow());
    this.form.addEventListener("submit", (event) => event.preventDefault());
  }

  /** Shows the findings of a report. */
  set(report: Report): void {
    this.report = report;
    const { summary, codes } = report;
    const counts: Record<FindingClass, number> = {
      malformed: summary.malformed,
      "non-conformant": summary.non_conformant,
      deprecated: summary.deprecated,
      advice: summary.advice,
      question: summary.questions,
    };
    const kinds = CLASSES.map(([kind, title]) => ({ kind, title, count: counts[kind] }));
    const found = kinds.filter(({ count }) => count > 0);
    const words = found.map(({ title, count }) => `${grouped(count)} ${title.toLowerCase()}`);
    const size = `${counted(summary.lines, "line")}, ${counted(summary.records, "record")}`;
    const end = summary.complete ? "" : " Reading stopped early, so what follows was not checked.";
    byId("summary").textContent =
      (words.length === 0 ? `${size}. No problems were found.` : `${size}: ${words.join(", ")}.`) + end;
    const filters = found.map(({ kind, title, count }) =>
      make(
        "label",
        { class: "check" },
        make("input", { type: "checkbox", name: "class", value: kind, checked: "" }),
        make("span", { class: `badge ${kind}` }, title),
        ` ${grouped(count)}`,
      ),
    );
    fill(byId("class-filters"), ...filters);
    // Of one class, there is nothing to choose.
    show(this.form.querySelector<HTMLElement>(".classes")!, found.length > 1);
    show(this.form, codes.length > 0);
    this.narrow();
  }

  /** Forgets the report: its file is closed. */
  clear(): void {
    clearTimeout(this.timer);
    this.number++;
    this.report = undefined;
  }

  private filter(): Filter {
    const data = new FormData(this.form);
    return {
      words: String(data.get("text")).toLowerCase().split(/\s+/).filter((word) => word !== ""),
      classes: data.getAll("class") as FindingClass[],
      isFixable: data.has("fixable"),
    };
  }

  /** Shows the findings that meet the filter: of those that are listed if they are all, or else of the whole file. */
  private narrow(): void {
    if (this.report === undefined) return;
    const number = ++this.number;
    clearTimeout(this.timer);
    const { findings, codes } = this.report;
    const filter = this.filter();
    if (!this.isNarrow(filter)) {
      this.draw({ findings, counts: new Map(codes.map(({ code, count }) => [code, count])) });
    } else if (findings.length === total(codes)) {
      const matches: Matches = { findings: [], counts: new Map() };
      collect(matches, findings, filter);
      this.draw(matches);
    } else {
      byId("filtered").textContent = "Searching all findings…";
      this.timer = setTimeout(async () => {
        const isWanted = (): boolean => number === this.number;
        const matches = await this.search(filter, isWanted);
        if (!isWanted()) return;
        if (matches !== undefined) return this.draw(matches);
        byId("filtered").textContent = "The search did not end, so nothing is shown. Change the filter to search again.";
        fill(byId("groups"));
      }, PAUSE);
    }
  }

  /** Whether a filter leaves anything out. */
  private isNarrow({ words, classes, isFixable }: Filter): boolean {
    return words.length > 0 || isFixable || classes.length < this.form.querySelectorAll("[name=class]").length;
  }

  private draw({ findings, counts }: Matches): void {
    const codes = this.report?.codes ?? [];
    const byCode = new Map<string, Finding[]>();
    for (const finding of findings) {
      const group = byCode.get(finding.code) ?? [];
      group.push(finding);
      byCode.set(finding.code, group);
    }
    const order = codes
      .filter(({ code }) => byCode.has(code))
      .sort((one, other) => rank(one) - rank(other) || other.count - one.count);
    const found = [...counts.values()].reduce((sum, count) => sum + count, 0);
    byId("filtered").textContent = filteredWords(findings.length, found, total(codes));
    const groups = order.map((code) => this.group(code, byCode.get(code.code) ?? [], counts.get(code.code) ?? 0));
    // One group alone, or the first of few, is open: there is something to see at once.
    if (groups.length <= 3) groups.slice(0, 1).forEach((group) => (group.open = true));
    fill(byId("groups"), ...groups);
  }

  private group(code: CountOfCode, findings: Finding[], found: number): HTMLDetailsElement {
    const fixable = code.repairable > 0 ? make("span", { class: "fixable" }, fixableWords(code)) : undefined;
    const count = found < code.count ? `${grouped(found)} of ${grouped(code.count)}` : grouped(found);
    const group = make(
      "details",
      { class: "group" },
      make(
        "summary",
        {},
        make("span", { class: `badge ${code.class}` }, titleOf(code.class)),
        make("span", { class: "group-title" }, sentence(code.title).slice(0, -1)),
        make("span", { class: "group-count" }, count),
        fixable,
      ),
    );
    // The content of a group is made when somebody opens it.
    group.addEventListener("toggle", () => {
      if (group.open && group.children.length === 1) group.append(this.explanation(code), findingList(findings, found));
    });
    return group;
  }

  private explanation(code: CountOfCode): HTMLElement {
    const about = CLASSES.find(([kind]) => kind === code.class)?.[2];
    const page = make("div");
    const details = make(
      "details",
      { class: "explanation" },
      make("summary", {}, `What does ${code.code} mean?`),
      make("p", { class: "hint" }, `${code.code} ${code.name}. ${titleOf(code.class)}: ${about ?? ""}`),
      page,
    );
    details.addEventListener("toggle", () => {
      if (!details.open || page.hasChildNodes()) return;
      this.explain(code.code).then(
        (text) => fill(page, manualPage(text)),
        () => fill(page, make("p", {}, "The explanation could not be loaded.")),
      );
    });
    return details;
  }
}

function total(codes: CountOfCode[]): number {
  return codes.reduce((sum, { count }) => sum + count, 0);
}

function titleOf(kind: FindingClass): string {
  return CLASSES.find(([one]) => one === kind)?.[1] ?? kind;
}

function rank({ class: kind }: CountOfCode): number {
  return CLASSES.findIndex(([one]) => one === kind);
}

function fixableWords({ count, repairable }: CountOfCode): string {
  return count === repairable ? "can be fixed" : `${grouped(repairable)} can be fixed`;
}

function filteredWords(listed: number, found: number, all: number): string {
  const first = `Of each kind, the first ${grouped(MOST_FINDINGS)} are listed.`;
  if (found < all) return `${counted(found, "finding")} of ${grouped(all)} shown.${listed < found ? ` ${first}` : ""}`;
  return listed < all ? `${first} A search looks at all ${counted(all, "finding")}.` : "";
}

/** The findings of a code, with a button for more. */
function findingList(findings: Finding[], found: number): HTMLElement {
  const rest = found - findings.length;
  const words = `${counted(rest, "more finding")} ${rest === 1 ? "is" : "are"} not listed. Search for a word to find them.`;
  const note = rest > 0 ? make("p", { class: "hint" }, words) : undefined;
  return make("div", {}, moreList(make("ol", { class: "findings" }), findings, SHOWN, SHOWN, findingItem), note);
}

function findingItem(finding: Finding): HTMLLIElement {
  const { line, column, structure, message, help, fix, related, clause } = finding;
  const place = line === undefined ? "The whole file" : `Line ${grouped(line)}, column ${grouped(column ?? 1)}`;
  const where = structure === undefined ? undefined : make("bdi", { class: "where" }, visible(structure));
  return make(
    "li",
    { class: "finding" },
    make("p", { class: "place" }, place, where),
    make("p", { class: "words" }, ...quoted(sentence(message))),
    excerptOf(finding),
    help === undefined ? undefined : make("p", { class: "help" }, ...quoted(sentence(help))),
    fix === undefined ? undefined : fixOf(finding, fix.lines),
    related === undefined ? undefined : make("ul", { class: "related" }, ...related.map(relatedItem)),
    clause === undefined ? undefined : make("p", { class: "clause" }, `Clause: ${clause}`),
  );
}

function relatedItem({ line, message }: { line: number; message: string }): HTMLLIElement {
  return make("li", {}, `Line ${grouped(line)}: `, ...quoted(message));
}

/** The line of a finding, with its characters marked. */
function excerptOf({ excerpt, line, column, end_column: end }: Finding): HTMLElement | undefined {
  if (excerpt === undefined || line === undefined || column === undefined || end === undefined) return undefined;
  const signs = [...excerpt.text];
  const from = column - excerpt.first_column;
  const to = Math.max(end - excerpt.first_column, from);
  const mark = signs.slice(from, to).join("");
  return make(
    "pre",
    { class: "excerpt", tabindex: "0", "aria-label": `Line ${line}` },
    make("span", { class: "line-number", "aria-hidden": "true" }, `${line} `),
    excerpt.first_column > 1 ? "…" : undefined,
    visible(signs.slice(0, from).join("")),
    make("mark", mark === "" ? { class: "between" } : {}, visible(mark)),
    visible(signs.slice(to).join("")),
  );
}

/** The most lines of a fix that are shown. */
const MOST_LINES = 6;

/** The lines that a fix changes. The old text is known of the line of the finding only. */
function fixOf(finding: Finding, lines: FixedLines[]): HTMLElement {
  if (lines.length === 0) return make("p", { class: "fix" }, "Fixed together with another finding.");
  const listed = lines.slice(0, MOST_LINES);
  const shown = listed.flatMap((change) => {
    const old = oldLines(finding, change).map((text) => make("del", {}, visible(text)));
    return [...old, ...change.insert.map((text) => make("ins", {}, `${change.line} + ${visible(text)}`))];
  });
  const more = lines.length - MOST_LINES;
  const note = more > 0 ? make("p", { class: "hint" }, `and ${counted(more, "more line")}`) : undefined;
  const diff = make("pre", { class: "diff", tabindex: "0", "aria-label": "Lines that the fix changes" }, ...shown);
  const replaced = listed.filter(({ insert }) => insert.length > 0).flatMap((change) => unknownLines(finding, change));
  const title = replaced.length === 0 ? "The fix:" : `The fix replaces ${replaced.length === 1 ? "line" : "lines"} ${replaced.map(grouped).join(", ")}:`;
  return make("div", { class: "fix" }, make("p", {}, title), diff, note);
}

/** The old lines of a change. A line whose text is not known is left out if there is a new one, which says more. */
function oldLines(finding: Finding, change: FixedLines): string[] {
  const unknown = unknownLines(finding, change);
  return linesOf(change).flatMap((number) => {
    if (!unknown.includes(number)) return [`${number} - ${finding.excerpt?.text ?? ""}`];
    return change.insert.length > 0 ? [] : [`${number} - (the line is removed)`];
  });
}

/** The numbers of the old lines of a change whose text is not known. */
function unknownLines({ line, excerpt }: Finding, change: FixedLines): number[] {
  return linesOf(change).filter((number) => number !== line || excerpt?.first_column !== 1);
}

function linesOf({ line, remove }: FixedLines): number[] {
  return Array.from({ length: remove }, (_, index) => line + index);
}
