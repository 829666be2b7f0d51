// The point nearest to the pointer, in words. Places come from the drawn paths, numbers from the list beside them.
"use strict";
for (const map of document.querySelectorAll(".family-map")) {
  const { causes, paths } = JSON.parse(map.querySelector("script").textContent);
  const frame = map.querySelector(".panels"), line = map.querySelector(".point");
  const panels = Array.from(frame.querySelectorAll("svg"));
  const drawn = Array.from(frame.querySelectorAll("path.silent, path.overstated, path.unsafe"));
  const points = drawn.flatMap((path, k) =>
    Array.from(path.getAttribute("d").matchAll(/M([\d.]+) ([\d.]+)/g), (place, n) =>
      ({ panel: path.ownerSVGElement, x: +place[1], y: +place[2], row: paths[k][n] })));
  const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  ring.setAttribute("r", "7");
  ring.setAttribute("class", "ring");
  let here = null;

  const code = (text) => Object.assign(document.createElement("code"), { textContent: text });
  const together = (p) => points.filter((o) => o.panel === p.panel && o.x === p.x && o.y === p.y);

  function show(p) {
    if (!p) return;
    here = p;
    ring.setAttribute("cx", p.x);
    ring.setAttribute("cy", p.y);
    p.panel.append(ring);
    const [q, sigma, alpha, answer, verdict, possible] = p.row;
    const others = together(p);
    const why = possible.map((n) => causes[n]).join(" or ") || "unknown";
    const said = answer === null ? "none" : String(answer);
    line.replaceChildren(
      `q = ${q}, σ = ${sigma}, α = ${alpha}: answer ${said} (${verdict}); cause: ${why}. The truth: `,
      code(`sgm-verify value --q ${q} --sigma ${sigma} --alpha ${alpha}`),
      others.length > 1 ? ` Point ${others.indexOf(p) + 1} of ${others.length} in this place.` : "");
  }

  // The pointer's place in the units of the panel that it is over.
  function place(event) {
    const panel = panels.find((svg) => svg.contains(event.target));
    if (!panel) return null;
    const box = panel.getBoundingClientRect(), view = panel.viewBox.baseVal;
    return { panel, x: (event.clientX - box.left) * view.width / box.width, y: (event.clientY - box.top) * view.height / box.height };
  }

  function nearest(at, among) {
    let best = null, least = Infinity;
    for (const p of among) {
      const far = (p.x - at.x) ** 2 + (p.y - at.y) ** 2;
      if (far < least) [best, least] = [p, far];
    }
    return [best, least];
  }

  function point(event, reach) {
    const at = place(event);
    if (!at) return;
    const [best, far] = nearest(at, points.filter((p) => p.panel === at.panel));
    if (best && far <= reach * reach && !(here && here.panel === best.panel && here.x === best.x && here.y === best.y)) show(best);
  }

  function next(key) {
    if (!here) return points[0];
    const across = key === "ArrowLeft" || key === "ArrowRight", sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
    const ahead = (p) => sign * (across ? p.x - here.x : p.y - here.y);
    const aside = (p) => Math.abs(across ? p.y - here.y : p.x - here.x);
    const cone = points.filter((p) => p.panel === here.panel && ahead(p) > 0 && aside(p) <= ahead(p));
    const [best] = nearest(here, cone);
    if (best || !across) return best;
    for (let n = panels.indexOf(here.panel) + sign; n >= 0 && n < panels.length; n += sign) {
      const there = points.filter((p) => p.panel === panels[n]);
      if (there.length) return nearest({ x: sign > 0 ? 0 : 1e3, y: here.y }, there)[0];
    }
    return null;
  }

  frame.addEventListener("pointermove", (event) => point(event, 14));
  frame.addEventListener("click", (event) => point(event, 40));
  frame.addEventListener("keydown", (event) => {
    if (event.key.startsWith("Arrow") && points.length) {
      event.preventDefault();
      show(next(event.key));
    } else if (event.key === "Enter" && here) {
      const others = together(here);
      show(others[(others.indexOf(here) + 1) % others.length]);
    }
  });
}
