// js-gedcom behind the protocol of conformance/protocol.md. It is in no registry: the variable SUBJECT names a clone of
// its repository.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const { GEDCStruct, g5ConfGEDC } = await import(pathToFileURL(process.env.SUBJECT + '/gedcstruct.js').href);

const CLAIMS = {
  program: 'js-gedcom',
  version: process.env.SUBJECT_VERSION ?? 'unknown',
  drafts: ['2019-12', '2019-01', 'declarative', '2017-10', '2017-07'],
  forms: ['tagged'],
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

function structure(node) {
  const found = { tag: node.tag };
  if (node.xref_id) found.xref = node.xref_id;
  if (node.payload instanceof GEDCStruct) found.payload = { pointer: node.payload.xref_id };
  else if (node.payload === null) found.payload = { pointer: 'VOID' };
  else if (node.payload !== undefined) found.payload = node.payload;
  if (node.sub.length > 0) found.substructures = node.sub.map(structure);
  return found;
}

const [form, draft, path] = process.argv.slice(2);
if (form === 'claims') {
  show(CLAIMS);
} else if (form === 'tagged') {
  const bytes = readFileSync(path);
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    text = undefined;
  }
  if (text === undefined) {
    show({ not_claimed: 'no encoding but UTF-8' });
  } else if (text.includes('@#U')) {
    show({ not_claimed: 'no Unicode escapes' });
  } else {
    const records = GEDCStruct.fromString(text, g5ConfGEDC, () => {}).map(structure);
    const head = records.find((record) => record.tag === 'HEAD')?.substructures ?? [];
    show({ header: {}, metadata: head.filter(({ tag }) => !METADATA[draft].includes(tag)) });
    records.filter(({ tag }) => tag !== 'HEAD' && tag !== 'TRLR').forEach(show);
  }
} else {
  throw new Error(`unknown form ${form}`);
}
