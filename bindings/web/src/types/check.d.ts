/** How a file is read. */
export interface ReadOptions {
  /** The rules: `wild`, the default, reads files as they are found. Others are `gedcom-5.5.1`, `gedcom-7`, `2019-12`, … */
  rules?: string;
  /** Read in this encoding, and ignore the one that the file names. */
  encoding?: string;
  /** The schema to use instead of that of the file: `completed`, `published` or `gedcom-7`. */
  schema?: string;
}

/** What is asked of a check. Without options, the findings are those of `elf check FILE`. */
export interface CheckOptions extends ReadOptions {
  /** The standard to validate against: `data-model`, `5.5`, `5.5.1`, `7.0` or `none`. */
  against?: string;
  /** Look for implausible dates. */
  facts?: boolean;
  /** Look for unlikely dates, too. */
  unlikely?: boolean;
  /** The day for questions about dates, such as `2026-11-28`. The default is that of the clock. */
  today?: string;
  /** Report only these codes or classes. */
  select?: string[];
  /** Do not report these codes or classes. */
  ignore?: string[];
  /** Count these codes or classes as failures, besides violations of the format. */
  deny?: string[];
  /** Report a tag without a meaning at each place, not once for each kind of place. */
  eachUndefined?: boolean;
  /** The name of the file in the findings. */
  name?: string;
  /**
   * Return at most this number of findings of each code. All are counted. A finding that is reported once for many places
   * then only has the fix of the first.
   */
  most?: number;
  /** Add `excerpt` and `structure` to each finding, for people. */
  details?: boolean;
}

/** Gets the number of bytes that were read so far, and of all. */
export type ProgressFunction = (done: number, all: number) => void;

/** Gets the findings in portions, in the order of the file. If it throws an error, the check ends with this error. */
export type TakeFunction = (findings: Finding[]) => void;

export type FindingClass = "malformed" | "non-conformant" | "deprecated" | "advice" | "question";

/** Another place that has to do with a finding. */
export interface RelatedPlace {
  message: string;
  line: number;
  column: number;
  end_column: number;
  octet: number;
}

/** Lines that a fix changes: from `line` on, `remove` lines are removed and those of `insert` take their place. */
export interface FixedLines {
  line: number;
  remove: number;
  insert: string[];
}

/** A finding, with the members that `elf check --format json` prints. Lines and columns count from 1. */
export interface Finding {
  code: string;
  name: string;
  class: FindingClass;
  message: string;
  file?: string;
  line?: number;
  column?: number;
  end_column?: number;
  octet?: number;
  record?: string;
  path?: string;
  clause?: string;
  help?: string;
  count?: number;
  related?: RelatedPlace[];
  fix?: { safety: "safe"; lines: FixedLines[] };
  /** With `details`: the record, its person and the structures above. */
  structure?: string;
  /** With `details`: the line, from its column `first_column` on. */
  excerpt?: { text: string; first_column: number };
}

/** The counts of `elf check --format json`. */
export interface Summary {
  file?: string;
  lines: number;
  records: number;
  vendor?: number;
  malformed: number;
  non_conformant: number;
  deprecated: number;
  advice: number;
  questions: number;
  ignored: number;
  /** The number of findings that `fix` fixes. */
  repairable: number;
  /** False if reading stopped early under the chosen rules. */
  complete: boolean;
}

/** The number of findings of a code. */
export interface CountOfCode {
  code: string;
  name: string;
  title: string;
  class: FindingClass;
  count: number;
  repairable: number;
  fix?: "safe" | "unsafe";
}

export interface Report {
  /** The findings, in the order of the file; none if a function took them. */
  findings: Finding[];
  summary: Summary;
  codes: CountOfCode[];
  /** True if `elf check` would exit with status 1. */
  fails: boolean;
  /** False if the file has neither a header nor any known tag: it is probably not a GEDCOM file. */
  isGedcom: boolean;
}
