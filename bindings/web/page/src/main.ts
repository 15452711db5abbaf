// The page: a file is opened and checked, and then the tabs offer what can be done with it.
import type { CheckOptions, Info, Report } from "./elf.js";
import { button, byId, counted, downloadButton, fill, grouped, make, show, sized, visible } from "./dom.js";
import { Cancelled, Engine, NamedError } from "./engine.js";
import { type Candidate, candidates, filesOfDrop, nameFor, sentence } from "./files.js";
import { type Filter, MOST_FINDINGS, type Matches } from "./filter.js";
import { FindingsView } from "./findings.js";
import { ConvertPanel, type Desk, RedactPanel, ReportPanel, TreePanel, archiveWords } from "./panels.js";
import type { FileSource } from "./protocol.js";
import { makeTabs } from "./tabs.js";
import { WorkBar, clearMessage, showMessage } from "./work.js";

const engine = new Engine();
const work = new WorkBar(engine);
/** As many findings of a code as a file can have. */
const ALL = 0xffffffff;

let source: FileSource | undefined;
/** The file that is not GEDCOM, as long as its message is shown. */
let refused: FileSource | undefined;
/** The options of the check whose report is shown. */
let reportOptions: CheckOptions = {};

const desk: Desk = {
  engine,
  work,
  name: () => source?.name ?? "",
  archive: () => (source?.packed?.kind === "zip" ? source.file.name : undefined),
};
const findings = new FindingsView(async (code) => (await engine.ask("explain", code)).page, search);
const convertPanel = new ConvertPanel(desk);
const redactPanel = new RedactPanel(desk);
const treePanel = new TreePanel(desk);
const reportPanel = new ReportPanel(desk);
const chooseTab = makeTabs(document.querySelector<HTMLElement>("[role=tablist]")!, (tab) => {
  if (tab === "tab-tree" && source !== undefined) void treePanel.open();
});

/** Takes what somebody chose: opens the only file, or lists several. */
async function take(files: File[], isFolder: boolean): Promise<void> {
  fill(byId("file-list"));
  closeFile();
  const found = await work.run("Looking at the files", () => candidates(files, isFolder, engine));
  if (found === undefined) return;
  const [first] = found;
  if (first === undefined) {
    showMessage("There is no GEDCOM file here: no name ends in .ged, .gedcom, .elf, .gdz, .zip or .gz.");
  } else if (found.length > 1) {
    listFiles(found);
  } else if (first.source === undefined) {
    showMessage(`${first.name}: ${first.reason ?? ""}`);
  } else {
    await open(first.source);
  }
}

/** Lists several files, each with a button that opens it. */
function listFiles(found: Candidate[]): void {
  const items = found.map(({ name, source, reason }) =>
    source === undefined
      ? make("li", {}, make("span", { class: "file-name" }, visible(name)), make("span", { class: "hint" }, reason ?? ""))
      : make("li", {}, button(visible(name), () => void open(source), "link")),
  );
  fill(byId("file-list"), ...items);
  byId("files-heading").textContent = counted(found.length, "file");
  showFiles();
}

/** Shows the list of files, if there is one. */
function showFiles(): void {
  show(byId("files"), byId("file-list").hasChildNodes());
}

/** Opens a file: tells what it is, and checks it, with the default options unless those of the last check are kept. */
async function open(chosen: FileSource, keepsOptions = false): Promise<void> {
  closeFile(keepsOptions);
  const options = checkOptions();
  const opened = await work.run(`Reading ${chosen.name}`, async (onProgress) => {
    try {
      const { size } = await engine.open(chosen);
      if (size === 0) throw new NamedError(chosen.name, "the file is empty: it has 0 bytes");
      // The file is read twice.
      const info = await engine.ask("info", null, (part) => onProgress(part / 2));
      return { info, report: await engine.ask("check", options, (part) => onProgress((1 + part) / 2)) };
    } catch (error) {
      // If the reading was cancelled, another file may be open already.
      if (chosen.encoding !== undefined && !(error instanceof Cancelled)) offerEncodings(chosen);
      throw error;
    }
  });
  if (opened === undefined) return;
  const { info, report } = opened;
  const problem = notGedcom(report);
  // Somebody who chose an encoding wants to see the file, whatever it is.
  if (problem !== undefined && chosen.encoding === undefined) {
    showMessage(`${chosen.name}: ${problem}`);
    offerEncodings(chosen);
    return;
  }
  source = chosen;
  showFile(info);
  showReport(report, options);
  chooseTab("tab-findings");
  show(byId("file"), true);
  show(byId("opening"), false);
  show(byId("files"), false);
  byId("file-name").focus();
}

/** Offers to read a file that is not GEDCOM all the same. */
function offerEncodings(chosen: FileSource): void {
  refused = chosen;
  show(byId("force-form"), true);
}

/** The reason why a file is not GEDCOM, if it is not. */
function notGedcom({ findings, isGedcom }: Report): string | undefined {
  if (isGedcom) return undefined;
  const found = findings.find(({ code }) => code === "E0101" || code === "E0102");
  if (found?.message.startsWith("the file looks like") === true) {
    return [found.message, found.help].filter((part) => part !== undefined).map(sentence).join(" ");
  }
  const reason = found === undefined ? "" : `: ${found.message}`;
  return `This is not a GEDCOM file${sentence(reason)} No record of a family tree was found in it.`;
}

/** Closes the file, so that another one can be opened. */
function closeFile(keepsOptions = false): void {
  engine.close();
  work.clear();
  [source, refused] = [undefined, undefined];
  clearMessage();
  show(byId("force-form"), false);
  for (const panel of [findings, convertPanel, redactPanel, treePanel, reportPanel]) panel.clear();
  fill(byId("fixed"));
  if (!keepsOptions) byId<HTMLFormElement>("check-form").reset();
  byId<HTMLFormElement>("filter-form").reset();
  show(byId("file"), false);
  show(byId("opening"), true);
  showFiles();
}

function showFile(info: Info): void {
  byId("file-name").textContent = visible(info.file);
  const rows: [string, string][] = [
    ["Format", info.version === "" ? "no version given" : info.version],
    ["Encoding", info.encoding.used],
    ["Written by", info.producer ?? "unknown"],
    ["People", grouped(info.people)],
    ["Families", grouped(info.families)],
    ["Size", `${sized(info.octets)}, ${counted(info.lines, "line")}`],
  ];
  fill(
    byId("facts"),
    ...rows.map(([term, text]) => make("div", {}, make("dt", {}, term), make("dd", {}, make("bdi", {}, visible(text))))),
  );
  byId("encoding-words").textContent = encodingWords(info);
  fill(byId("encoding-evidence"), ...info.encoding_evidence.map((text) => make("li", {}, visible(text))));
}

function encodingWords({ encoding, encoding_reason: reason }: Info): string {
  const rivals = encoding.rivals ?? [];
  const doubt = rivals.length === 0 ? "" : ` The evidence is weak: the file may also be in ${rivals.join(" or ")}.`;
  const words: Record<string, string> = {
    detected: "The first bytes of the file show it.",
    specified: `The header says so: CHAR ${encoding.specified ?? ""}.`,
    default: "Nothing in the file says otherwise, and this is the default.",
    forced: "You chose it.",
    content: "The bytes of the file show it, whatever the header says.",
  };
  return `${encoding.used}: ${words[encoding.because] ?? reason}${doubt}`;
}

/** The options of the check that the form asks for, with what the list of findings needs. */
function checkOptions(): CheckOptions {
  const data = new FormData(byId<HTMLFormElement>("check-form"));
  const against = String(data.get("against"));
  return { facts: data.has("facts"), ...(against === "" ? {} : { against }), details: true, most: MOST_FINDINGS };
}

/** Shows the report of a check with some options. */
function showReport(report: Report, options: CheckOptions): void {
  reportOptions = options;
  findings.set(report);
  const count = report.summary.repairable;
  const words = `${counted(count, "finding")} can be fixed without changing the meaning of the file. All other bytes of the file stay as they are.`;
  byId("fixing-words").textContent = words;
  show(byId("fix"), true);
  show(byId("fixing-words"), true);
  fill(byId("fixed"));
  show(byId("fixing"), count > 0);
}

/** Checks the file again, after the options changed. */
async function checkAgain(): Promise<void> {
  const options = checkOptions();
  const report = await work.run("Checking", (onProgress) => engine.ask("check", options, onProgress));
  if (report !== undefined) showReport(report, options);
}

/** Searches all findings of the file after other work has ended, if the search is still wanted then. */
async function search(filter: Filter, isWanted: () => boolean): Promise<Matches | undefined> {
  return work.run("Searching", async (onProgress) => {
    engine.stopSearch();
    // The worker does one thing after another, so it answers when other work has ended.
    await engine.ask("version", null);
    if (!isWanted()) return undefined;
    return engine.ask("search", { options: { ...reportOptions, most: ALL }, filter }, onProgress);
  });
}

/** Makes the safe fixes, and offers the fixed file. */
async function fix(): Promise<void> {
  const fixed = await work.run("Fixing", () => engine.ask("fix", reportOptions));
  if (fixed === undefined) return;
  const name = nameFor(desk.name(), "fixed");
  const bytes = fixed.bytes as Uint8Array<ArrayBuffer>;
  const encoding = source?.encoding;
  const made: FileSource = { name, file: new File([bytes], name), ...(encoding === undefined ? {} : { encoding }) };
  show(byId("fix"), false);
  show(byId("fixing-words"), false);
  fill(
    byId("fixed"),
    make("p", {}, make("strong", {}, `Fixed ${counted(fixed.fixed, "finding")}.`), " The fixed file is a new file: your file is unchanged."),
    ...archiveWords(desk.archive()),
    make(
      "p",
      { class: "buttons" },
      downloadButton(bytes, name),
      button("Check the fixed file", () => void open(made, true)),
    ),
  );
  // The button that had the focus is hidden.
  byId("fixed").querySelector("button")?.focus();
}

function listen(): void {
  const [fileInput, folderInput] = [byId<HTMLInputElement>("file-input"), byId<HTMLInputElement>("folder-input")];
  for (const id of ["choose-file", "choose-other"]) byId(id).addEventListener("click", () => fileInput.click());
  byId("choose-folder").addEventListener("click", () => folderInput.click());
  for (const input of [fileInput, folderInput]) {
    input.addEventListener("change", () => {
      const files = [...(input.files ?? [])];
      // Without this, choosing the same file again would do nothing.
      input.value = "";
      if (files.length > 0) void take(files, input === folderInput);
    });
  }
  byId("close").addEventListener("click", () => {
    closeFile();
    byId("choose-file").focus();
  });
  const forceForm = byId<HTMLFormElement>("force-form");
  forceForm.addEventListener("submit", (event) => {
    event.preventDefault();
    const encoding = String(new FormData(forceForm).get("encoding"));
    if (refused !== undefined) void open({ ...refused, encoding });
  });
  byId("check-form").addEventListener("change", () => void checkAgain());
  byId("check-form").addEventListener("submit", (event) => event.preventDefault());
  byId("fix").addEventListener("click", () => void fix());
  listenToDrops();
}

/** A file can be dropped anywhere on the page. */
function listenToDrops(): void {
  const drop = byId("drop");
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) drop.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    const transfer = event.dataTransfer;
    if (transfer === null || transfer.items.length === 0) return;
    const isFolder = [...transfer.items].some((item) => item.webkitGetAsEntry()?.isDirectory === true);
    void filesOfDrop(transfer).then(
      (files) => take(files, isFolder),
      () => showMessage("What you dropped cannot be read. Choose it with a button instead."),
    );
  });
}

/** Shows the version of the engine. */
function showVersion(): void {
  engine.ask("version", null).then(
    (version) => (byId("version").textContent = version),
    // Somebody opened a file before the engine was loaded, which started a new one.
    (error: Error) => (error instanceof Cancelled ? showVersion() : showMessage(error.message)),
  );
}

listen();
showVersion();
if ("serviceWorker" in navigator && window.isSecureContext) {
  // Without it, the page only needs a network each time it is loaded.
  navigator.serviceWorker.register("sw.js").catch(() => undefined);
}
