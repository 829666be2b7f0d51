"use strict";
// On paper everything is open but the data behind the figures; a link into a closed part opens it.
(function () {
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = Array.from(document.querySelectorAll("details:not([open]):not(.data)"));
    opened.forEach((d) => { d.open = true; });
  });
  window.addEventListener("afterprint", () => { opened.forEach((d) => { d.open = false; }); });
  function reveal() {
    let name = "";
    try { name = decodeURIComponent(location.hash.slice(1)); } catch (error) { return; }  // no place of ours
    const target = document.getElementById(name);
    const closed = target && target.closest("details:not([open])");
    if (closed) { closed.open = true; target.scrollIntoView(); }
  }
  window.addEventListener("hashchange", reveal);
  reveal();
})();
