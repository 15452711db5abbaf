// The findings of a file: counted, filtered, and grouped by code.
import type { CountOfCode, Finding, FindingClass, FixedLines, Report } from "./elf.js";
import { button, byId, counted, fill, grouped, make, quoted, show, visible } from "./dom.js";
import { sentence } from "./files.js";
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

/** The conditions of the filter. */
interface Filter {
  words: string[];
  classes: Set<string>;
  isFixable: boolean;
}

/** The findings on the page. */
export class FindingsView {
  private report: Report | undefined;
  private readonly form = byId<HTMLFormElement>("filter-form");
  private readonly explain: (code: string) => Promise<string>;

  constructor(explain: (code: string) => Promise<string>) {
    this.explain = explain;
    this.form.addEventListener("input", () => this.draw());
    this.form.addEventListener("submit", (event) => event.preventDefault());
  }

  /** Shows the findings of a report. */
  set(report: Report): void {
    this.report = report;
    const { summary, codes } = report;
    const kinds = CLASSES.map(([kind, title]) => ({ kind, title, count: countOf(codes, kind) }));
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
    this.draw();
  }

  private filter(): Filter {
    const data = new FormData(this.form);
    return {
      words: String(data.get("text")).toLowerCase().split(/\s+/).filter((word) => word !== ""),
      classes: new Set(data.getAll("class").map(String)),
      isFixable: data.has("fixable"),
    };
  }

  private draw(): void {
    if (this.report === undefined) return;
    const { findings, codes } = this.report;
    const filter = this.filter();
    const isNarrowed = filter.words.length > 0 || filter.isFixable;
    const byCode = new Map<string, Finding[]>();
    for (const finding of findings.filter((finding) => fits(finding, filter))) {
      const group = byCode.get(finding.code) ?? [];
      group.push(finding);
      byCode.set(finding.code, group);
    }
    const order = codes
      .filter(({ code }) => byCode.has(code))
      .sort((one, other) => rank(one) - rank(other) || other.count - one.count);
    const shown = [...byCode.values()].reduce((sum, group) => sum + group.length, 0);
    const all = codes.reduce((sum, { count }) => sum + count, 0);
    byId("filtered").textContent = filteredWords(shown, findings.length, all);
    const groups = order.map((code) => this.group(code, byCode.get(code.code) ?? [], isNarrowed));
    // One group alone, or the first of few, is open: there is something to see at once.
    if (groups.length <= 3) groups.slice(0, 1).forEach((group) => (group.open = true));
    fill(byId("groups"), ...groups);
  }

  private group(code: CountOfCode, findings: Finding[], isNarrowed: boolean): HTMLDetailsElement {
    const fixable = code.repairable > 0 ? make("span", { class: "fixable" }, fixableWords(code)) : undefined;
    const count = isNarrowed && findings.length < code.count ? `${grouped(findings.length)} of ${grouped(code.count)}` : grouped(code.count);
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
      if (group.open && group.children.length === 1) group.append(this.explanation(code), findingList(code, findings));
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

function countOf(codes: CountOfCode[], kind: FindingClass): number {
  return codes.filter((code) => code.class === kind).reduce((sum, { count }) => sum + count, 0);
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

function filteredWords(shown: number, listed: number, all: number): string {
  if (shown < listed) return `${counted(shown, "finding")} of ${grouped(listed)} shown.`;
  if (listed < all) return `Of each kind, the first 1,000 findings are listed: ${grouped(listed)} of ${grouped(all)}.`;
  return "";
}

function fits(finding: Finding, { words, classes, isFixable }: Filter): boolean {
  if (!classes.has(finding.class) || (isFixable && finding.fix === undefined)) return false;
  const { code, name, message, structure, excerpt, record } = finding;
  const text = [code, name, message, structure, excerpt?.text, record].join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The findings of a code, with a button for more. */
function findingList(code: CountOfCode, findings: Finding[]): HTMLElement {
  const list = make("ol", { class: "findings" });
  const more = button("", () => {
    const first = add();
    // The button disappears with the last finding.
    if (more.hidden) first?.focus();
  });
  let shown = 0;
  const add = (): HTMLLIElement | undefined => {
    const next = findings.slice(shown, shown + SHOWN).map(findingItem);
    next[0]?.setAttribute("tabindex", "-1");
    list.append(...next);
    shown += next.length;
    const left = findings.length - shown;
    more.textContent = `Show ${grouped(Math.min(left, SHOWN))} more of ${grouped(left)}`;
    show(more, left > 0);
    return next[0];
  };
  add();
  const rest = code.count - findings.length;
  const note = rest > 0 && findings.length === 1000 ? `${grouped(rest)} more findings are not listed.` : undefined;
  return make("div", {}, list, more, note === undefined ? undefined : make("p", { class: "hint" }, note));
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
  const shown = lines.slice(0, MOST_LINES).flatMap((change) => {
    const old = removedLines(finding, change).map((text) => make("del", {}, visible(text)));
    return [...old, ...change.insert.map((text) => make("ins", {}, `${change.line} + ${visible(text)}`))];
  });
  const more = lines.length - MOST_LINES;
  const note = more > 0 ? make("p", { class: "hint" }, `and ${counted(more, "more line")}`) : undefined;
  const diff = make("pre", { class: "diff", tabindex: "0", "aria-label": "Lines that the fix changes" }, ...shown);
  return make("div", { class: "fix" }, make("p", {}, "The fix:"), diff, note);
}

function removedLines({ line, excerpt }: Finding, change: FixedLines): string[] {
  return Array.from({ length: change.remove }, (_, index) => {
    const number = change.line + index;
    const isKnown = number === line && excerpt !== undefined && excerpt.first_column === 1;
    return `${number} - ${isKnown ? excerpt.text : "(this line)"}`;
  });
}
