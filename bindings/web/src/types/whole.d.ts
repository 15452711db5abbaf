/** The manual page of a code. */
export interface Explanation {
  code: string;
  name: string;
  title: string;
  /** Markdown. */
  page: string;
}

/** A fixed file. */
export interface FixedFile {
  bytes: Uint8Array;
  /** The number of findings that were fixed. */
  fixed: number;
  /** The findings whose fixes were not made, since they would have made something worse. */
  refused: { code: string; line?: number; message: string; reason: string }[];
}

export interface InfoOptions extends ReadOptions {
  /** The name of the file. */
  name?: string;
}

/** What a file is: the members of `elf info --format json`, and the evidence for the encoding. */
export interface Info {
  file: string;
  octets: number;
  encoding: Omit<EncodingDecision, "evidence" | "rivals"> & { rivals?: string[] };
  /** The reason for the encoding, in a few words. */
  encoding_reason: string;
  /** What was seen in the file that speaks for or against encodings. */
  encoding_evidence: string[];
  line_breaks: { lf: number; cr: number; crlf: number };
  elf_version: string | null;
  gedcom_version: string | null;
  /** The version in the header, as it is written, such as `GEDCOM 5.5.1`. */
  version: string;
  rules: string;
  draft: { likely: string | null; because: string };
  producer: string | null;
  schema: string | null;
  lines: number;
  records: number;
  structures: number;
  max_level: number;
  types: Record<string, number>;
  undefined: Record<string, number>;
  vendor?: { tags: string[]; type: string; meaning: string; producers: string[]; count: number }[];
  people: number;
  families: number;
  /** False if reading stopped early under the chosen rules. */
  complete: boolean;
}

/** The decision on an encoding. */
export interface EncodingDecision {
  used: string;
  because: "detected" | "specified" | "default" | "forced" | "content";
  detected: string | null;
  detected_by: string | null;
  /** The encoding that CHAR names. */
  specified: string | null;
  bom: boolean;
  /** The other encodings that the file may be in, if the evidence is weak. */
  rivals: string[];
  evidence: string[];
}

export interface ConvertOptions {
  /** The rules to read by. */
  rules?: string;
  /** Read in this encoding, and ignore the one that the file names. */
  fromEncoding?: string;
  schema?: string;
  /** The rules of the output, such as `gedcom-7` or `gedcom-5.5.1`. The default is the standard of the file. */
  toRules?: string;
  /** The encoding of the output. The default is `UTF-8`. */
  encoding?: string;
  /** The line endings of the output: `lf`, `cr` or `crlf`. The default is those of the file. */
  lineBreak?: "lf" | "cr" | "crlf";
  /** Start the output with a byte-order mark. */
  bom?: boolean;
  /** The most characters of a line. */
  width?: number;
  /** Return the part that was read if the rules stopped reading early. */
  partial?: boolean;
}

/** A converted file. */
export interface ConvertedFile {
  bytes: Uint8Array;
  /** What could not be carried over, and what else was reported while the file was written. */
  findings: Finding[];
  /** The number of things that were lost. */
  losses: number;
  /** False if reading stopped early under the chosen rules, so that the output contains only the part that was read. */
  complete: boolean;
}

export interface RedactOptions extends Omit<ReadOptions, "schema"> {
  /** What remains of each hidden person. The default is `placeholder`. */
  replacement?: "placeholder" | "drop" | "name-only" | "initials";
  /** The identifiers of people who are not hidden. */
  keep?: string[];
  /** People who were born more than this number of years ago are dead. The default is 110. */
  within?: number;
  /** The day of today, such as `2026-11-28`. The default is that of the clock. */
  today?: string;
  /** A bare `DEAT` line proves a death. */
  bareDeath?: boolean;
}

export interface RecordTally {
  kept: number;
  hidden: number;
  removed: number;
}

/** A file without the people who may be living. This is a filter, not a guarantee. */
export interface RedactedFile {
  bytes: Uint8Array;
  people: RecordTally;
  families: RecordTally;
  others: RecordTally;
  /** The number of structures that were removed from kept records. */
  structures: number;
  /** The kept texts that contain the name of a hidden person. */
  mentions: { line: number; path?: string }[];
  /** The lines of records that may be about somebody living, and are hidden for that. */
  unclear: number[];
  /** The records in which something may be left of hidden people. */
  doubts: { line: number; reason: string; about: string }[];
}

export interface ReportOptions extends ReadOptions {
  /** The name of the file. */
  name?: string;
  /** The standard to validate against. */
  against?: string;
  /** The day of today, such as `2026-11-28`. The default is that of the clock. */
  today?: string;
  /** Show living people, too. */
  living?: boolean;
  /** False for a page without people. */
  people?: boolean;
}

/** A structure, with the members of `elf show --form typed --format json`. */
export interface Structure {
  /** The path and the line; missing in substructures. */
  path?: string;
  line?: number;
  xref?: string;
  tag: string;
  type?: string;
  payload?: string | { pointer: string; resolved?: false };
  language?: string;
  /** The meaning of a date, an age or a time. */
  value?: unknown;
  substructures?: Structure[];
}

export interface SetOptions {
  /** Add the structures that the path lacks. */
  create?: boolean;
}

export interface RemoveOptions {
  /** Also remove the pointers to the structure. */
  cascade?: boolean;
}

/** The conditions of a search for people. */
export interface PersonQuery {
  /** Each word occurs in a name; case and accents are ignored. */
  name?: string;
  /** The years of birth, such as `1850`, `1850..1860` or `..1850`. */
  born?: string;
  /** The years of death. */
  died?: string;
  /** The place of an event contains this text. */
  place?: string;
  /** Return at most this number of people. */
  most?: number;
}

/** A person, with members of `elf find --format json`. Dates are as the file has them. */
export interface PersonRow {
  id?: string;
  name?: string;
  sex?: string;
  birth?: string;
  birth_place?: string;
  death?: string;
  death_place?: string;
  line: number;
}

export interface TreeOptions {
  /** Generations of ancestors. The default is 4. */
  up?: number;
  /** Generations of descendants. The default is 2. */
  down?: number;
  /** Draw at most this number of people, those nearest. The default is 2000. */
  most?: number;
  /** Draw the person whose record starts on this line. Use it if an identifier is missing or not unique. */
  line?: number;
  layout?: "tree" | "fan";
  /** The width of the picture, in millimetres. */
  width?: number;
  /** Divide the picture into pages. */
  page?: "A4" | "letter";
  title?: string;
  /** Draw neither title nor legend. */
  bare?: boolean;
}

/** A tree as a picture, and as the data of `elf tree --format json`. */
export interface DrawnTree {
  svg: string;
  tree: {
    root: number;
    up?: number;
    down?: number;
    persons: { number: number; line: number; id?: string; name?: string; sex?: string; years?: string; generation: number }[];
    families: { id?: string; marriage?: string; partners: number[]; children: { person: number; tie?: string }[] }[];
    left_out: number;
  };
}

/** A file that is read in pieces: an archive may be larger than memory. */
export interface ByteSource {
  readonly size: number;
  /** Returns the bytes from `start` up to `end`. */
  read(start: number, end: number): Uint8Array;
}

export interface Archive {
  packing: "none" | "gzip" | "zip";
  /** The genealogical files of a ZIP or GEDZIP archive. */
  files: { name: string; index: number; refusal?: string }[];
}
