"use strict";
// Sorts and filters tables. The page says all it says without it.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const text = (row, column) => (row.cells[column] ? row.cells[column].textContent : "");
  heads.forEach((head, column) => {
    if (!head.textContent) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    const isNumber = head.classList.contains("n");
    const number = (row) => Number(text(row, column).replace(/[^0-9.]/g, "")) || 0;
    const words = new Intl.Collator(undefined, { numeric: true });
    button.addEventListener("click", () => {
      const first = isNumber ? "descending" : "ascending";
      const other = isNumber ? "ascending" : "descending";
      const order = head.getAttribute("aria-sort") === first ? other : first;
      heads.forEach((one) => one.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const compare = isNumber
        ? (one, two) => number(one) - number(two)
        : (one, two) => words.compare(text(one, column), text(two, column));
      body.append(...[...body.rows].sort((one, two) => sign * compare(one, two)));
    });
  });
  if (body.rows.length > 15) {
    const label = document.createElement("label");
    label.className = "filter";
    const input = document.createElement("input");
    input.type = "search";
    label.append("Show rows with ", input);
    input.addEventListener("input", () => {
      const wanted = input.value.toLowerCase();
      for (const row of body.rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
    });
    const scroll = table.closest(".scroll");
    scroll.before(label);
  }
}
// A link to a person leads to an unfolded section, within unfolded sections.
const show = (hash) => {
  const target = hash && document.getElementById(decodeURIComponent(hash.slice(1)));
  for (let part = target; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
  if (target) target.scrollIntoView();
};
addEventListener("hashchange", () => show(location.hash));
show(location.hash);
// In a frame of another page, a link to a part of this page would lead to that page.
if (location.protocol === "about:") {
  for (const link of document.querySelectorAll('a[href^="#"]')) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      show(link.getAttribute("href"));
    });
  }
}
// On paper nothing can be unfolded.
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details:not([open])")) folded.open = true;
});
