// Peers in JavaScript: `PEER read FILE` prints the names of people and the diagnostics as JSON, `PEER save FILE OUT` reads
// a file and writes it again. The variable SUBJECT names the folder that has `node_modules`.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(process.env.SUBJECT + '/');
const show = (names, diagnostics) => console.log(JSON.stringify({ names, diagnostics }));

// Its documentation gives it text; what a program would do first is to decode UTF-8 or UTF-16.
function text(path) {
  const bytes = readFileSync(path);
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

const peers = {
  'read-gedcom': {
    read(path) {
      const { readGedcom } = require('read-gedcom');
      const bytes = readFileSync(path);
      const gedcom = readGedcom(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
      show(gedcom.getIndividualRecord().getName().value().filter((name) => name !== null), []);
    },
  },
  'parse-gedcom': {
    read(path) {
      const { parse } = require('parse-gedcom');
      const people = parse(text(path)).children.filter(({ type }) => type === 'INDI');
      show(people.flatMap(({ children }) => children.filter(({ type }) => type === 'NAME').map(({ value }) => value ?? '')), []);
    },
  },
};

const [peer, task, ...paths] = process.argv.slice(2);
peers[peer][task](...paths);
