// Elements: found by their identifiers, and made. Text is always text, never HTML.

type Child = Node | string | undefined;

/** Returns the element with an identifier, which the page has. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found as E;
}

/** Makes an element with attributes and content. */
export function make<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** Makes a button. */
export function button(words: string, onClick: () => void, kind = ""): HTMLButtonElement {
  const made = make("button", { type: "button", ...(kind === "" ? {} : { class: kind }) }, words);
  made.addEventListener("click", onClick);
  return made;
}

/** Replaces the content of an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter((child) => child !== undefined));
}

/** Adds the first items to a list, with a button below it that adds more. */
export function moreList<T>(list: HTMLElement, items: T[], first: number, step: number, itemOf: (item: T) => HTMLLIElement): HTMLElement {
  const more = button("", () => {
    const next = add(step);
    // The button disappears with the last item.
    if (more.hidden) next?.focus();
  });
  const add = (count: number): HTMLLIElement | undefined => {
    const shown = list.children.length;
    const next = items.slice(shown, shown + count).map(itemOf);
    next[0]?.setAttribute("tabindex", "-1");
    list.append(...next);
    const left = items.length - shown - next.length;
    more.textContent = left > step ? `Show ${grouped(step)} more of ${grouped(left)}` : `Show ${grouped(left)} more`;
    show(more, left > 0);
    return next[0];
  };
  add(first);
  return make("div", {}, list, more);
}

/** Shows or hides an element. */
export function show(element: HTMLElement, isShown: boolean): void {
  element.hidden = !isShown;
}

/** Returns a number with a comma after every three digits. */
export function grouped(number: number): string {
  return number.toLocaleString("en-US");
}

/** Returns a number and what it counts. */
export function counted(number: number, one: string, several = `${one}s`): string {
  return `${grouped(number)} ${number === 1 ? one : several}`;
}

/** Returns a size in bytes in words. */
export function sized(bytes: number): string {
  const units = ["bytes", "KB", "MB", "GB"];
  let [size, unit] = [bytes, 0];
  while (size >= 1000 && unit < units.length - 1) [size, unit] = [size / 1000, unit + 1];
  return unit === 0 ? counted(bytes, "byte") : `${size.toPrecision(3)} ${units[unit]}`;
}

/** Control characters and overrides of direction as visible signs: text of a file must not disguise itself. */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (sign) => {
    const code = sign.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

/** Text with what is in backticks as code. */
export function quoted(text: string): (Node | string)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? make("code", {}, visible(part)) : visible(part)));
}

/** Makes a button that saves bytes as a file. */
export function downloadButton(bytes: BlobPart, name: string, type = "text/vnd.familysearch.gedcom"): HTMLButtonElement {
  return button(
    `Download ${name}`,
    () => {
      const address = URL.createObjectURL(new Blob([bytes], { type }));
      make("a", { href: address, download: name }).click();
      // The browser has the file as soon as the download starts.
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    },
    "primary",
  );
}
