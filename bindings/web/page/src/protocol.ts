// The messages between the page and its worker.
import type {
  Archive,
  CheckOptions,
  ConvertOptions,
  ConvertedFile,
  DrawnTree,
  Explanation,
  FixedFile,
  Info,
  PersonRow,
  RedactOptions,
  RedactedFile,
  Report,
  ReportOptions,
  TreeOptions,
} from "./elf.js";
import type { Filter, Matches } from "./filter.js";

/** A file that somebody chose: as it is, or a file in an archive. */
export interface FileSource {
  name: string;
  file: File;
  /** How the file is packed, and the number of its entry in a ZIP archive. */
  packed?: { kind: "gzip" } | { kind: "zip"; index: number };
  /** The encoding that somebody chose, whatever the file says. */
  encoding?: string;
}

/** The people that a search found, of which only the first are listed. */
export interface FoundPeople {
  count: number;
  people: PersonRow[];
}

/** What the worker can do. Each action is about the file of the worker, except the first two. */
export interface Actions {
  version: (none: null) => string;
  list: (source: FileSource) => Archive;
  open: (source: FileSource) => { size: number };
  info: (none: null) => Info;
  check: (options: CheckOptions) => Report;
  search: (request: { options: CheckOptions; filter: Filter }) => Matches;
  explain: (code: string) => Explanation;
  fix: (options: CheckOptions) => FixedFile;
  convert: (options: ConvertOptions) => ConvertedFile;
  redact: (options: RedactOptions) => RedactedFile;
  people: (request: { name: string; most: number }) => FoundPeople;
  tree: (options: TreeOptions) => DrawnTree;
  report: (options: ReportOptions) => string;
}

export type ActionName = keyof Actions;
export type Argument<A extends ActionName> = Parameters<Actions[A]>[0];
export type Result<A extends ActionName> = ReturnType<Actions[A]>;

/** A request to the worker. */
export interface Request<A extends ActionName = ActionName> {
  id: number;
  action: A;
  argument: Argument<A>;
}

/** An answer of the worker: progress, and at the end a result or an error. */
export type Answer =
  | { id: number; progress: number }
  | { id: number; result: unknown }
  | { id: number; error: string; isFatal: boolean };
