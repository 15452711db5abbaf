// Tabs as the ARIA pattern has them: arrow keys move between them.
import { show } from "./dom.js";

/** Makes a list of tabs work. `onChoose` gets the identifier of the tab, when somebody chooses one. */
export function makeTabs(list: HTMLElement, onChoose: (tab: string) => void): (tab: string) => void {
  const tabs = [...list.querySelectorAll<HTMLButtonElement>("[role=tab]")];
  const choose = (chosen: HTMLButtonElement): void => {
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
      if (panel !== null) show(panel, isChosen);
    }
    onChoose(chosen.id);
  };
  const keys: Record<string, (at: number) => number> = {
    ArrowRight: (at) => (at + 1) % tabs.length,
    ArrowLeft: (at) => (at + tabs.length - 1) % tabs.length,
    Home: () => 0,
    End: () => tabs.length - 1,
  };
  for (const [at, tab] of tabs.entries()) {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", (event) => {
      const next = tabs[keys[event.key]?.(at) ?? -1];
      if (next === undefined) return;
      event.preventDefault();
      next.focus();
      choose(next);
    });
  }
  return (id) => {
    const tab = tabs.find((tab) => tab.id === id);
    if (tab !== undefined) choose(tab);
  };
}
