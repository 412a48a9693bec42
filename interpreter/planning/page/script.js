"use strict";
// A link to a template opens it, and what it is in.
function reveal() {
  const found = document.getElementById(location.hash.slice(1));
  if (!found) return;
  for (let each = found; each; each = each.parentElement) {
    if (each.tagName === "DETAILS") each.open = true;
  }
  if (found.tagName === "DETAILS") found.querySelector("summary").focus({ preventScroll: true });
  found.scrollIntoView();
}
addEventListener("hashchange", reveal);
addEventListener("click", (event) => {
  // The same link once more changes no hash.
  const link = event.target.closest("a[href^='#']");
  if (link && link.hash === location.hash) setTimeout(reveal);
});
const search = document.getElementById("search");
document.getElementById("finder").hidden = false;
search.addEventListener("input", () => {
  const wanted = search.value.trim().toLowerCase();
  for (const each of document.querySelectorAll("[data-text]")) {
    each.hidden = !each.dataset.text.includes(wanted);
  }
});
reveal();
