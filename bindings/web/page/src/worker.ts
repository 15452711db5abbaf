// The worker: it has the engine and the bytes of one file, and does what the page asks.
import init, * as elf from "./elf.js";
import { type Matches, collect } from "./filter.js";
import type { ActionName, Actions, Answer, Argument, FileSource, Request, Result } from "./protocol.js";

// The types of the page do not include what only workers have.
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

const ready = init();
let bytes = new Uint8Array();
let name = "";
/** The encoding that somebody chose for the file. */
let reading: { encoding?: string } = {};
let opened: elf.Document | undefined;

/** Reads a file in pieces. */
function byteSource(file: File): elf.ByteSource {
  const reader = new FileReaderSync();
  return {
    size: file.size,
    read: (start, end) => new Uint8Array(reader.readAsArrayBuffer(file.slice(start, end))),
  };
}

function read({ file, packed }: FileSource): Uint8Array<ArrayBuffer> {
  switch (packed?.kind) {
    case undefined:
      return new Uint8Array(new FileReaderSync().readAsArrayBuffer(file));
    case "gzip":
      return new Uint8Array(elf.unpack(byteSource(file)));
    case "zip":
      return new Uint8Array(elf.unpack(byteSource(file), packed.index));
  }
}

/** The file as a document, which is read when it is needed. */
function document(): elf.Document {
  opened ??= elf.Document.open(bytes, reading);
  return opened;
}

type Progress = (done: number, all: number) => void;

const actions: { [A in ActionName]: (argument: Argument<A>, progress: Progress) => Result<A> } = {
  version: () => elf.version(),
  list: (source) => elf.listArchive(byteSource(source.file), source.name),
  open: (source) => {
    opened?.free();
    opened = undefined;
    bytes = read(source);
    name = source.name;
    reading = source.encoding === undefined ? {} : { encoding: source.encoding };
    return { size: bytes.length };
  },
  info: (_, progress) => elf.info(bytes, { ...reading, name }, progress),
  check: (options, progress) => elf.check(bytes, { ...options, ...reading }, progress),
  search: ({ options, filter }, progress) => {
    const matches: Matches = { findings: [], counts: new Map() };
    elf.check(bytes, { ...options, ...reading }, progress, (findings) => collect(matches, findings, filter));
    return matches;
  },
  explain: (code) => elf.explain(code),
  fix: (options) => elf.fix(bytes, { ...options, ...reading }),
  convert: (options) => {
    const { encoding } = reading;
    return elf.convert(bytes, encoding === undefined ? options : { ...options, fromEncoding: encoding });
  },
  redact: (options) => elf.redact(bytes, { ...options, ...reading }),
  people: ({ name, most }) => {
    const found = document().people(name === "" ? {} : { name });
    return { count: found.length, people: found.slice(0, most) };
  },
  tree: (options) => document().tree(undefined, options),
  report: (options) => elf.report(bytes, { ...options, ...reading, name }),
};

function run<A extends ActionName>({ action, argument }: Request<A>, progress: Progress): ReturnType<Actions[A]> {
  return actions[action](argument, progress);
}

/** The words for an error. After an error of WebAssembly itself, the engine cannot be used any more. */
function failure(error: unknown): { error: string; isFatal: boolean } {
  if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
    return {
      error:
        "The work needs more memory than your browser gives to a page. " +
        "The command elf works on your computer without this limit.",
      isFatal: true,
    };
  }
  if (error instanceof DOMException) {
    return { error: "The file cannot be read. It may have been moved or changed since you chose it.", isFatal: false };
  }
  return { error: error instanceof Error ? error.message : String(error), isFatal: false };
}

self.addEventListener("message", async ({ data }: MessageEvent<Request>) => {
  const answer = (message: Answer): void => self.postMessage(message);
  const { id } = data;
  try {
    await ready;
    const progress: Progress = (done, all) => answer({ id, progress: all === 0 ? 1 : done / all });
    answer({ id, result: run(data, progress) });
  } catch (error) {
    answer({ id, ...failure(error) });
  }
});
