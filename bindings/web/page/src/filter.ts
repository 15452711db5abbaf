// The filter of the findings. The page uses it for the findings that it has, the worker for all findings of the file.
import type { Finding, FindingClass } from "./elf.js";

/** The most findings of each code that the page gets. All are counted. */
export const MOST_FINDINGS = 1000;

/** The conditions that findings meet. */
export interface Filter {
  words: string[];
  classes: FindingClass[];
  isFixable: boolean;
}

/** The findings that meet a filter. */
export interface Matches {
  /** At most `MOST_FINDINGS` of each code. */
  findings: Finding[];
  /** The number of all that meet the filter, of each code. */
  counts: Map<string, number>;
}

/** Adds the findings that meet a filter to those that were found before. */
export function collect(matches: Matches, findings: Finding[], filter: Filter): void {
  for (const finding of findings) {
    if (!fits(finding, filter)) continue;
    const count = (matches.counts.get(finding.code) ?? 0) + 1;
    matches.counts.set(finding.code, count);
    if (count <= MOST_FINDINGS) matches.findings.push(finding);
  }
}

function fits(finding: Finding, { words, classes, isFixable }: Filter): boolean {
  if (!classes.includes(finding.class) || (isFixable && finding.fix === undefined)) return false;
  const { code, name, message, structure, excerpt, record } = finding;
  const text = [code, name, message, structure, excerpt?.text, record].join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}
