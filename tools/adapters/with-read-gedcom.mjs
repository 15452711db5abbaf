// read-gedcom behind the protocol of conformance/protocol.md. `tools/adapters/run read-gedcom` installs it and runs the
// suite. The variable SUBJECT names the folder that has `node_modules`.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(process.env.SUBJECT + '/');
const subject = require('read-gedcom');

const CLAIMS = {
  program: 'read-gedcom',
  version: JSON.parse(readFileSync(process.env.SUBJECT + '/node_modules/read-gedcom/package.json', 'utf8')).version,
  drafts: ['2019-12', '2019-01', 'declarative', '2017-10', '2017-07', 'dates'],
  forms: ['tagged', 'value'],
  facts: ['lexical', 'form', 'modifier', 'phrase', 'calendar', 'second_calendar', 'historical_year', 'day'],
};
// Structures of the header that are no data, by draft.
const METADATA = {
  '2019-12': ['CHAR', 'ELF', 'GEDC', 'PLANG', 'SCHMA'],
  '2019-01': ['CHAR', 'SCHMA'],
  declarative: ['CHAR', 'SCHMA'],
  '2017-10': ['CHAR', 'PRFX', 'DEFN'],
  '2017-07': ['CHAR', 'PRFX', 'DEFN'],
};

const show = (value) => console.log(JSON.stringify(value));

function structure({ tag, pointer, value, children }) {
  const found = { tag };
  if (pointer) found.xref = pointer.slice(1, -1);
  // The tree has pointers as text.
  if (value && /^@[^@#][^@]*@$/.test(value)) found.payload = { pointer: value.slice(1, -1) };
  else if (value !== null) found.payload = value;
  if (children.length > 0) found.substructures = children.map(structure);
  return found;
}

function tagged(draft, path) {
  const bytes = readFileSync(path);
  const root = subject.parseGedcom(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  if (bytes.includes('@#U')) return show({ not_claimed: 'no Unicode escapes' });
  const records = root.children.map(structure);
  const head = records.find((record) => record.tag === 'HEAD')?.substructures ?? [];
  show({ header: {}, metadata: head.filter(({ tag }) => !METADATA[draft].includes(tag)) });
  records.filter(({ tag }) => tag !== 'HEAD' && tag !== 'TRLR').forEach(show);
}

function date({ calendar, year, day }) {
  const names = { isGregorian: 'GREGORIAN', isJulian: 'JULIAN', isHebrew: 'HEBREW', isFrenchRepublican: 'FRENCH R' };
  const name = Object.keys(names).find((key) => calendar[key]);
  return { calendar: names[name] ?? 'UNKNOWN', year: year.isBce ? -year.value : year.value, day: day ?? null };
}

function value(datatype, path) {
  if (datatype !== 'DateValue' && datatype !== 'DatePeriod') return show({ not_claimed: `no datatype ${datatype}` });
  const found = subject.parseDate(readFileSync(path, 'utf8'));
  if (found === null) return show({ form: 'text' });
  const kind = found.approximationKind;
  const modifier = kind ? (kind.isAbout ? 'ABT' : kind.isCalculated ? 'CAL' : 'EST') : null;
  let form = 'exact';
  if (modifier) form = 'approximated';
  else if (found.isDateInterpreted) form = 'interpreted';
  else if (found.hasPhrase) form = 'phrase';
  else if (found.isDateRange) form = found.dateAfter ? (found.dateBefore ? 'between' : 'after') : 'before';
  else if (found.isDatePeriod) form = found.dateFrom ? (found.dateTo ? 'from-to' : 'from') : 'to';
  const parts = [found.date, found.dateAfter, found.dateFrom, found.dateBefore, found.dateTo];
  show({ form, modifier, phrase: found.phrase ?? null, dates: parts.filter(Boolean).map(date) });
}

const [form, draft, path, datatype] = process.argv.slice(2);
if (form === 'claims') show(CLAIMS);
else if (form === 'tagged') tagged(draft, path);
else if (form === 'value') value(datatype.replace('datatype=', ''), path);
else throw new Error(`unknown form ${form}`);
