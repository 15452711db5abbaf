// Work that takes a while: its words and its progress are shown, it can be cancelled, and errors become messages.
import { byId, fill, quoted, show } from "./dom.js";
import { Cancelled, type Engine, NamedError } from "./engine.js";
import { sentence } from "./files.js";

/** The time after which work is shown, in milliseconds: what is faster would only flicker. */
const DELAY = 150;

/** Shows one piece of work at a time. */
export class WorkBar {
  private readonly engine: Engine;
  private number = 0;

  constructor(engine: Engine) {
    this.engine = engine;
    byId("cancel").addEventListener("click", () => this.engine.stop());
  }

  /** Forgets the work that has not ended: its file is closed. */
  clear(): void {
    this.number++;
    show(byId("work"), false);
  }

  /** Does some work, and returns its result; nothing if it failed or was cancelled, which the page says then. */
  async run<T>(words: string, work: (onProgress: (part: number) => void) => Promise<T>): Promise<T | undefined> {
    const number = ++this.number;
    clearMessage();
    const progress = byId<HTMLProgressElement>("work-progress");
    progress.removeAttribute("value");
    byId("work-words").textContent = `${words}…`;
    const timer = setTimeout(() => show(byId("work"), true), DELAY);
    const onProgress = (part: number): void => {
      if (number !== this.number) return;
      // After the last byte, the findings of the whole file are still to come: for how long is not known.
      if (part < 1) progress.value = part;
      else progress.removeAttribute("value");
    };
    try {
      return await work(onProgress);
    } catch (error) {
      // While later work runs, only an error is news.
      if (number === this.number || !(error instanceof Cancelled)) showMessage(wordsOf(error));
      return undefined;
    } finally {
      clearTimeout(timer);
      if (number === this.number) {
        const hadFocus = byId("work").contains(document.activeElement);
        show(byId("work"), false);
        if (hadFocus) byId("message").focus();
      }
    }
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof Cancelled) return "Cancelled.";
  const words = sentence(error instanceof Error ? error.message : String(error));
  return error instanceof NamedError ? `${error.file}: ${words}` : words;
}

/** Shows a message, which a screen reader reads at once. */
export function showMessage(words: string): void {
  const message = byId("message");
  fill(message, ...quoted(words));
  show(message, true);
}

export function clearMessage(): void {
  show(byId("message"), false);
}
