// The files that somebody drops or chooses: files, folders and archives.
import { Cancelled, type Engine } from "./engine.js";
import type { FileSource } from "./protocol.js";
import { sized } from "./dom.js";

/** The largest file that is read. A browser gives a page at most 4 GB, and some work needs several times the file. */
export const LARGEST = 500_000_000;

/** The most files of a folder that are listed. */
const MOST_FILES = 2000;

/** A file that can be opened, or the reason why it cannot. */
export interface Candidate {
  name: string;
  source: FileSource | undefined;
  reason: string | undefined;
}

/** Returns the files of a drop, those of folders included. */
export async function filesOfDrop(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return [...transfer.files];
  const files: File[] = [];
  const open = entries.reverse();
  for (let entry = open.pop(); entry !== undefined && files.length < MOST_FILES; entry = open.pop()) {
    if (entry.isFile) files.push(await fileOf(entry as FileSystemFileEntry));
    else open.push(...(await entriesOf(entry as FileSystemDirectoryEntry)).reverse());
  }
  return files;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** The entries of a folder, sorted. A browser returns them in portions, the last of which is empty. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    all.push(...some);
  }
  return all.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns whether a file in a folder is a genealogical file or an archive, by its name. */
function isGenealogical(name: string): boolean {
  return /\.(ged|gedcom|elf|gdz|zip|gz)$/i.test(name);
}

/** Finds what can be opened: a file that was chosen alone whatever its name, of several those with a fitting name. */
export async function candidates(files: File[], isFolder: boolean, engine: Engine): Promise<Candidate[]> {
  const fitting = files.length > 1 || isFolder ? files.filter((file) => isGenealogical(file.name)) : files;
  // A browser returns the files of a folder in any order. Those of a drop have no path, and keep their order.
  if (isFolder) fitting.sort(({ webkitRelativePath: one }, { webkitRelativePath: other }) => Number(one > other) - Number(one < other));
  const found: Candidate[] = [];
  for (const file of fitting.slice(0, MOST_FILES)) found.push(...(await candidatesIn(file, engine)));
  return found;
}

/** The file itself, or the files in it if it is an archive. */
async function candidatesIn(file: File, engine: Engine): Promise<Candidate[]> {
  const name = file.webkitRelativePath || file.name;
  try {
    const archive = await engine.ask("list", { name, file });
    if (archive.packing === "gzip") return [candidate({ name, file, packed: { kind: "gzip" } })];
    if (archive.packing === "none") return [candidate({ name, file })];
    if (archive.files.length === 0) {
      return [{ name, source: undefined, reason: "There is no GEDCOM file in this archive." }];
    }
    return archive.files.map(({ name: inner, index, refusal }) => {
      const source: FileSource = { name: `${name}!${inner}`, file, packed: { kind: "zip", index } };
      return refusal === undefined
        ? { name: source.name, source, reason: undefined }
        : { name: source.name, source: undefined, reason: sentence(refusal) };
    });
  } catch (error) {
    if (error instanceof Cancelled) throw error;
    return [{ name, source: undefined, reason: sentence((error as Error).message) }];
  }
}

function candidate(source: FileSource): Candidate {
  const { name, file } = source;
  if (file.size === 0) return { name, source: undefined, reason: "The file is empty: it has 0 bytes." };
  if (file.size > LARGEST && source.packed === undefined) {
    const reason =
      `The file has ${sized(file.size)}. This page reads files of up to ${sized(LARGEST)}, because a browser limits ` +
      "the memory of a page. The command elf checks files of any size on your computer.";
    return { name, source: undefined, reason };
  }
  return { name, source, reason: undefined };
}

/** A reason as a sentence. */
export function sentence(words: string): string {
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The name for a file that is made of another one. */
export function nameFor(source: string, what: string, ending = "ged"): string {
  // The file in a GEDZIP archive is always `gedcom.ged`: the name of the archive says more.
  const last = source.replace(/!gedcom\.ged$/i, "").split(/[/!\\]/).pop() ?? source;
  const base = last.replace(/\.gz$/i, "").replace(/\.(ged|gedcom|elf|gdz|zip)$/i, "");
  return `${base === "" ? "family" : base}-${what}.${ending}`;
}
