// The engine as the page sees it: a worker that is started again when work is cancelled.
import type { ActionName, Answer, Argument, FileSource, Result } from "./protocol.js";

/** The reason for which work that was cancelled fails. */
export class Cancelled extends Error {}

/** An error about a file, whose name stands before it. */
export class NamedError extends Error {
  constructor(
    readonly file: string,
    message: string,
  ) {
    super(message);
  }
}

interface Waiting {
  action: ActionName;
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  onProgress: ((part: number) => void) | undefined;
}

/** One worker, with one file. */
export class Engine {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private next = 0;
  /** The file that the worker has, or will have when it is started again. */
  private source: FileSource | undefined;

  /** Uses another file. The worker is a new one, because the memory of WebAssembly never shrinks. */
  async open(source: FileSource): Promise<{ size: number }> {
    this.close();
    const opened = await this.sendFile(source);
    this.source = source;
    return opened;
  }

  /** Asks for something, about the file that is open. */
  async ask<A extends ActionName>(
    action: A,
    argument: Argument<A>,
    onProgress?: (part: number) => void,
  ): Promise<Result<A>> {
    if (this.worker === undefined && this.source !== undefined) await this.sendFile(this.source);
    return this.send(action, argument, onProgress);
  }

  /** Ends all work, and forgets the file. */
  close(): void {
    this.stop();
    this.source = undefined;
  }

  /** Ends all work. The next question starts a new worker. */
  stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
    for (const { reject } of this.waiting.values()) reject(new Cancelled());
    this.waiting.clear();
  }

  /** Ends a search, unless other work waits for its end. */
  stopSearch(): void {
    const [first, second] = this.waiting.values();
    if (first?.action === "search" && second === undefined) this.stop();
  }

  /** Gives the worker a file. An error names it: it may be one of many in an archive. */
  private async sendFile(source: FileSource): Promise<{ size: number }> {
    try {
      return await this.send("open", source);
    } catch (error) {
      throw error instanceof Cancelled ? error : new NamedError(source.name, (error as Error).message);
    }
  }

  private send<A extends ActionName>(
    action: A,
    argument: Argument<A>,
    onProgress?: (part: number) => void,
  ): Promise<Result<A>> {
    const worker = (this.worker ??= this.start());
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { action, resolve: resolve as (result: unknown) => void, reject, onProgress });
      worker.postMessage({ id, action, argument });
    });
  }

  private start(): Worker {
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => this.receive(data));
    worker.addEventListener("error", () => {
      this.fail(new Error("The engine of this page could not be loaded. Load the page again."));
    });
    return worker;
  }

  private receive(answer: Answer): void {
    const waiting = this.waiting.get(answer.id);
    if (waiting === undefined) return;
    if ("progress" in answer) {
      waiting.onProgress?.(answer.progress);
      return;
    }
    this.waiting.delete(answer.id);
    if ("result" in answer) {
      waiting.resolve(answer.result);
    } else {
      waiting.reject(new Error(answer.error));
      if (answer.isFatal) this.fail(new Error(answer.error));
    }
  }

  private fail(error: Error): void {
    this.worker?.terminate();
    this.worker = undefined;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
