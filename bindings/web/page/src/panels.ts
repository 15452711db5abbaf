// The tabs that make something of the file: a conversion, a copy without living people, trees, a report.
import type { ConvertOptions, ConvertedFile, DrawnTree, Finding, PersonRow, RedactOptions, RedactedFile } from "./elf.js";
import { button, byId, counted, downloadButton, fill, grouped, make, moreList, quoted, visible } from "./dom.js";
import type { Engine } from "./engine.js";
import { nameFor, sentence } from "./files.js";
import type { WorkBar } from "./work.js";

/** What the panels work with. */
export interface Desk {
  engine: Engine;
  work: WorkBar;
  /** The name of the file. */
  name: () => string;
  /** The name of the ZIP archive that the file is in. */
  archive: () => string | undefined;
}

/** The most places that a list shows. */
const LISTED = 20;

/** Makes a form do something when it is submitted. */
function onSubmit(form: HTMLFormElement, act: (data: FormData) => void): void {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    act(new FormData(form));
  });
}

function text(data: FormData, name: string): string {
  return String(data.get(name) ?? "");
}

function number(data: FormData, name: string): number {
  return Number(text(data, name));
}

/** A list of lines, of which only the first are shown. */
function shortList(lines: (Node | string)[]): HTMLElement {
  const items = lines.slice(0, LISTED).map((line) => make("li", {}, line));
  const more = lines.length - items.length;
  return make("ul", {}, ...items, more > 0 ? make("li", {}, `${grouped(more)} more`) : undefined);
}

/** Converts the file. */
export class ConvertPanel {
  private readonly result = byId("converted");

  constructor(private readonly desk: Desk) {
    const form = byId<HTMLFormElement>("convert-form");
    onSubmit(form, (data) => void this.convert(data));
    // A result that was made with other options would be misleading.
    form.addEventListener("change", () => this.clear());
  }

  clear(): void {
    fill(this.result);
  }

  private async convert(data: FormData): Promise<void> {
    this.clear();
    const { engine, work, name, archive } = this.desk;
    const [to, lineBreak] = [text(data, "to"), text(data, "lineBreak")];
    const options: ConvertOptions = {
      ...(to === "" ? {} : { toRules: to }),
      ...(lineBreak === "" ? {} : { lineBreak: lineBreak as "lf" | "crlf" }),
    };
    const converted = await work.run("Converting", () => engine.ask("convert", options));
    if (converted === undefined) return;
    const what = to === "" ? "utf8" : to;
    fill(
      this.result,
      make("div", { class: "box done" }, ...convertedWords(converted), ...archiveWords(archive(), keepingWords(archive())),
        make("p", { class: "buttons" }, downloadButton(converted.bytes as BlobPart, nameFor(name(), what)))),
    );
  }
}

/** Says that a download is not the whole archive, and what the user can do. */
export function archiveWords(archive: string | undefined, advice = ""): HTMLElement[] {
  if (archive === undefined) return [];
  const words = `This download is only the GEDCOM file. Pictures and other files of \`${archive}\` are not in it.`;
  return [make("p", {}, ...quoted(words + advice))];
}

/** How pictures are kept. The command makes an archive only of a GEDZIP archive. */
function keepingWords(archive: string | undefined): string {
  const isGedzip = /\.gdz$/i.test(archive ?? "");
  return isGedzip ? " To keep them, convert the archive to GEDCOM 7.0 with the command `elf convert --out-dir`." : "";
}

/** What was lost, and apart from it what is only written differently: that is advice. */
function convertedWords({ findings }: ConvertedFile): HTMLElement[] {
  const lines = (some: Finding[]): HTMLElement[] =>
    some.map(({ line, message }) => {
      const place = line === undefined ? "" : `Line ${grouped(line)}: `;
      return make("span", {}, ...quoted(place + sentence(message)));
    });
  const lost = findings.filter((finding) => finding.class !== "advice");
  const changed = findings.filter((finding) => finding.class === "advice");
  const words: HTMLElement[] = [];
  if (lost.length === 0) words.push(make("p", {}, "Converted. Nothing in the GEDCOM file was lost."));
  else words.push(make("p", {}, `Converted. ${counted(lost.length, "thing")} could not be converted:`), shortList(lines(lost)));
  if (changed.length > 0) words.push(make("p", {}, lost.length === 0 ? "These changes were made:" : "These other changes were made:"), shortList(lines(changed)));
  return words;
}

/** Makes a copy without living people. */
export class RedactPanel {
  private readonly result = byId("redacted");

  constructor(private readonly desk: Desk) {
    const form = byId<HTMLFormElement>("redact-form");
    onSubmit(form, (data) => void this.redact(data));
    form.addEventListener("change", () => this.clear());
  }

  clear(): void {
    fill(this.result);
  }

  private async redact(data: FormData): Promise<void> {
    this.clear();
    const { engine, work, name, archive } = this.desk;
    const options: RedactOptions = {
      replacement: text(data, "replacement") as NonNullable<RedactOptions["replacement"]>,
      within: number(data, "within"),
    };
    const redacted = await work.run("Hiding living people", () => engine.ask("redact", options));
    if (redacted === undefined) return;
    fill(
      this.result,
      make("div", { class: "box done" }, ...redactedWords(redacted), ...archiveWords(archive()),
        make("p", { class: "buttons" }, downloadButton(redacted.bytes as BlobPart, nameFor(name(), "public")))),
    );
  }
}

function redactedWords({ people, structures, mentions, unclear, doubts }: RedactedFile): HTMLElement[] {
  const all = people.kept + people.hidden + people.removed;
  const gone = people.hidden + people.removed;
  const hidden = `${counted(gone, "person", "people")} of ${grouped(all)} may be living, and ${gone === 1 ? "is" : "are"} hidden.`;
  const words: HTMLElement[] = [
    make("p", {}, gone === 0 ? `None of the ${counted(all, "person", "people")} may be living: nobody is hidden.` : hidden),
    make("p", {}, removedWords(structures)),
    make("p", {}, make("strong", {}, "Read the copy before you share it. "), "This filter cannot find everything."),
  ];
  const list = (title: string, lines: string[]): void => {
    if (lines.length > 0) words.push(make("p", {}, title), shortList(lines));
  };
  list(
    "These texts contain the name of a hidden person, and are kept:",
    mentions.map(({ line, path }) => `Line ${grouped(line)}${path === undefined ? "" : ` (${path})`}`),
  );
  list(
    "These lines may belong to a living person, so their records are hidden too:",
    unclear.map((line) => `Line ${grouped(line)}`),
  );
  list("Look at these records:", doubts.map(({ line, about }) => `Line ${grouped(line)}: the record ${about}`));
  return words;
}

/** What every copy lacks, whether or not somebody is living. */
function removedWords(structures: number): string {
  const removed = `${counted(structures, "structure")} ${structures === 1 ? "was" : "were"} removed from records that are kept.`;
  const always = "File names, and the names and addresses of submitters, are left out of every copy or hidden.";
  return structures === 0 ? always : `${always} ${removed}`;
}

/** The most people that a search lists. */
const MOST_PEOPLE = 120;

/** The number of people that are shown at first, so that the picture is near, and that each click adds. */
const [FIRST_PEOPLE, MORE_PEOPLE] = [6, 30];

/** Finds people and draws trees around them. */
export class TreePanel {
  private readonly form = byId<HTMLFormElement>("tree-form");
  private readonly drawing = byId("drawing");
  /** The line of the person in the picture. An identifier may be missing or not unique. */
  private line: number | undefined;
  private isStale = true;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly desk: Desk) {
    onSubmit(this.form, () => void this.find());
    this.form.addEventListener("input", ({ target }) => {
      clearTimeout(this.timer);
      const isName = (target as HTMLInputElement).name === "name";
      this.timer = setTimeout(() => void (isName ? this.find() : this.draw()), 250);
    });
  }

  clear(): void {
    clearTimeout(this.timer);
    this.line = undefined;
    this.isStale = true;
    this.form.reset();
    fill(byId("people-words"));
    fill(byId("people"));
    fill(this.drawing);
  }

  /** Shows the panel: the first time, with the people of the file and a first tree. */
  async open(): Promise<void> {
    if (!this.isStale) return;
    this.isStale = false;
    if (await this.find()) await this.draw();
  }

  /** Lists the people with the name that is asked for. Returns whether there are any. */
  private async find(): Promise<boolean> {
    const { engine, work } = this.desk;
    const name = text(new FormData(this.form), "name").trim();
    const request = { name, most: MOST_PEOPLE };
    const found = await work.run("Finding people", () => engine.ask("people", request));
    if (found === undefined) return false;
    byId("people-words").textContent = peopleWords(found.count, name);
    const list = make("ul", { class: "people" });
    const item = (person: PersonRow): HTMLLIElement => make("li", {}, this.personButton(person));
    fill(byId("people"), moreList(list, found.people, FIRST_PEOPLE, MORE_PEOPLE, item));
    return found.count > 0;
  }

  private personButton(row: PersonRow): HTMLElement {
    const { line, name, birth, death } = row;
    const years = [birth === undefined ? "" : `* ${birth}`, death === undefined ? "" : `† ${death}`];
    const facts = years.filter((part) => part !== "").join("  ");
    const content = [
      make("bdi", { class: "person-name" }, visible(name ?? "(no name)")),
      make("span", { class: "person-facts" }, visible(facts)),
    ];
    const made = button("", () => void this.draw(line).then(() => this.drawing.scrollIntoView({ block: "nearest" })), "person");
    made.append(...content);
    return made;
  }

  private async draw(line = this.line): Promise<void> {
    const { engine, work, name } = this.desk;
    if (!this.form.reportValidity()) return;
    const data = new FormData(this.form);
    const options = {
      up: number(data, "up"),
      down: number(data, "down"),
      layout: text(data, "layout") as "tree" | "fan",
      most: 500,
      ...(line === undefined ? {} : { line }),
    };
    const drawn = await work.run("Drawing the tree", () => engine.ask("tree", options));
    if (drawn === undefined) return;
    this.line = line;
    const file = nameFor(name(), "tree", "svg");
    // The button of a person in the last picture is replaced.
    const hadFocus = this.drawing.contains(document.activeElement);
    const shown = picture(drawn);
    fill(
      this.drawing,
      shown,
      leftOut(drawn),
      make("p", { class: "buttons" }, downloadButton(drawn.svg, file, "image/svg+xml")),
      this.peopleOf(drawn),
    );
    showRoot(shown);
    if (hadFocus) shown.focus();
  }

  /** The people in a picture, so that one can go on from each. */
  private peopleOf({ tree }: DrawnTree): HTMLElement {
    const people = tree.persons;
    const item = ({ line, name, years }: (typeof people)[number]): HTMLLIElement => {
      const made = button("", () => void this.draw(line), "person");
      made.append(
        make("bdi", { class: "person-name" }, visible(name ?? "(no name)")),
        make("span", { class: "person-facts" }, visible(years ?? "")),
      );
      return make("li", {}, made);
    };
    const list = moreList(make("ul", { class: "people" }), people, FIRST_PEOPLE, MORE_PEOPLE, item);
    return make("details", {}, make("summary", {}, `${counted(people.length, "person", "people")} in this tree`), list);
  }
}

function peopleWords(found: number, name: string): string {
  if (found === 0) return name === "" ? "There are no people in this file." : "No person has this name.";
  const count = `${counted(found, "person", "people")} ${name === "" ? "in the file" : "found"}.`;
  const listed = found > MOST_PEOPLE ? ` The first ${MOST_PEOPLE} are listed: type a name, or more of it, to find the others.` : "";
  return `${count}${listed} Choose a person to draw the tree around them.`;
}

/** The picture as part of the page: its text can be selected, found and read aloud. */
function picture({ svg }: DrawnTree): HTMLElement {
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const drawn = document.importNode(parsed, true);
  return make("div", { class: "picture", tabindex: "0", role: "region", "aria-label": "Family tree" }, drawn);
}

/** Scrolls a picture so that the person around whom it is drawn is in the middle. */
function showRoot(shown: HTMLElement): void {
  const root = shown.querySelector(".root")?.getBoundingClientRect();
  if (root === undefined) return;
  const frame = shown.getBoundingClientRect();
  shown.scrollLeft += root.left + root.width / 2 - frame.left - frame.width / 2;
  shown.scrollTop += root.top + root.height / 2 - frame.top - frame.height / 2;
}

function leftOut({ tree }: DrawnTree): HTMLElement | undefined {
  if (tree.left_out === 0) return undefined;
  const words = `${counted(tree.left_out, "person", "people")} further away left out. Draw fewer generations, or another person.`;
  return make("p", { class: "hint" }, words);
}

/** Writes the family report. */
export class ReportPanel {
  private readonly result = byId("report");

  constructor(private readonly desk: Desk) {
    const form = byId<HTMLFormElement>("report-form");
    onSubmit(form, (data) => void this.write(data));
    form.addEventListener("change", () => this.clear());
  }

  clear(): void {
    fill(this.result);
  }

  private async write(data: FormData): Promise<void> {
    this.clear();
    const { engine, work, name } = this.desk;
    const options = { living: data.has("living") };
    const html = await work.run("Writing the report", () => engine.ask("report", options));
    if (html === undefined) return;
    // The frame has no access to this page or its origin; its script only sorts and filters tables.
    const frame = make("iframe", { class: "report", title: "Report", sandbox: "allow-scripts" });
    frame.srcdoc = html;
    const file = nameFor(name(), "report", "html");
    fill(this.result, make("p", { class: "buttons" }, downloadButton(html, file, "text/html")), frame);
  }
}
