"use strict";
// The filter of the list of claims; its state is in the address, so that a selection can be linked to.
(function () {
  const claims = Array.from(document.querySelectorAll("li.claim"));
  const groups = Array.from(document.querySelectorAll(".claim-group"));
  const search = document.getElementById("search");
  const selects = ["verdict", "level", "severity"].map((name) => [name, document.getElementById("filter-" + name)]);
  const shown = document.getElementById("shown");
  const texts = new Map(claims.map((c) => [c, c.textContent.toLowerCase()]));
  function apply() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const claim of claims) {
      const fits = selects.every(([name, select]) => !select.value || claim.dataset[name] === select.value)
        && words.every((word) => texts.get(claim).includes(word));
      claim.hidden = !fits;
      count += fits ? 1 : 0;
    }
    for (const group of groups) {
      group.hidden = !group.querySelector("li.claim:not([hidden])");
    }
    shown.textContent = count + " of " + claims.length + " claims shown";
  }
  function remember() {
    const state = new URLSearchParams();
    if (search.value) { state.set("search", search.value); }
    for (const [name, select] of selects) { if (select.value) { state.set(name, select.value); } }
    history.replaceState(null, "", state.size ? "#" + state : location.pathname);
  }
  function recall() {
    const state = new URLSearchParams(location.hash.slice(1));
    search.value = state.get("search") || "";
    for (const [name, select] of selects) {
      const value = state.get(name) || "";
      select.value = Array.from(select.options).some((o) => o.value === value) ? value : "";
    }
    apply();
  }
  function reset() {
    search.value = "";
    for (const [, select] of selects) { select.value = ""; }
    changed();
  }
  function changed() { apply(); remember(); }
  search.addEventListener("input", changed);
  for (const [, select] of selects) { select.addEventListener("change", changed); }
  document.getElementById("reset").addEventListener("click", () => { reset(); search.focus(); });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches && event.target.matches("input, select, textarea");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) { event.preventDefault(); search.focus(); }
    if (event.key === "Escape" && event.target === search) { reset(); }
  });
  window.addEventListener("hashchange", recall);
  document.querySelector(".filters").hidden = false;
  recall();
})();
