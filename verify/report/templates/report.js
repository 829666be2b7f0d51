"use strict";
(function () {
  const claims = Array.from(document.querySelectorAll("details.claim"));
  const groups = Array.from(document.querySelectorAll(".claim-group"));
  const search = document.getElementById("search");
  const selects = ["verdict", "level", "severity"].map((name) => [name, document.getElementById("filter-" + name)]);
  const shown = document.getElementById("shown");
  const texts = new Map(claims.map((c) => [c, (c.textContent + " " + (c.dataset.tex || "")).toLowerCase()]));
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
      group.hidden = !group.querySelector("details.claim:not([hidden])");
    }
    shown.textContent = count + " of " + claims.length + " claims shown";
  }
  function reset() {
    search.value = "";
    for (const [, select] of selects) { select.value = ""; }
    apply();
  }
  function reveal() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.matches("details.claim")) {
      if (target.hidden) { reset(); }
      target.open = true;
      target.scrollIntoView();
    }
  }
  search.addEventListener("input", apply);
  for (const [, select] of selects) { select.addEventListener("change", apply); }
  document.getElementById("reset").addEventListener("click", () => { reset(); search.focus(); });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches && event.target.matches("input, select, textarea");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) { event.preventDefault(); search.focus(); }
    if (event.key === "Escape" && event.target === search) { reset(); }
  });
  window.addEventListener("hashchange", reveal);
  let opened = [];  // on paper everything is open but the data behind the figures
  window.addEventListener("beforeprint", () => {
    opened = Array.from(document.querySelectorAll("details:not([open]):not(.data)"));
    opened.forEach((d) => { d.open = true; });
  });
  window.addEventListener("afterprint", () => { opened.forEach((d) => { d.open = false; }); });
  document.querySelector(".filters").hidden = false;
  apply();
  reveal();
})();
