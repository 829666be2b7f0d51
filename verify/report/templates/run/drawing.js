// Two small drawings as SVG: delta over epsilon, and the integrand of A with its peaks.
(function (run) {
  "use strict";
  const WIDTH = 440;
  const HEIGHT = 250;
  const [LEFT, RIGHT, TOP, BOTTOM] = [52, 14, 14, 40];

  function element(name, attributes, text) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  }

  /** Round numbers that divide a range into four to eight parts. */
  function ticks(low, high) {
    const raw = (high - low) / 5;
    const unit = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].find((m) => m * unit >= raw) * unit;
    const found = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(k * step);
    return found;
  }

  /** Whole powers of ten, at most seven of them. */
  function decades(low, high) {
    const step = Math.max(1, Math.ceil((high - low) / 6));
    const found = [];
    for (let k = Math.ceil(high / step) * step; k >= low; k -= step) if (k <= high) found.push(k);
    return found;
  }

  class Plot {
    constructor(svg, title, [x0, x1], [y0, y1]) {
      Object.assign(this, { svg, x0, x1, y0, y1 });
      svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", title);
      svg.replaceChildren();
    }

    x = (v) => LEFT + ((v - this.x0) / (this.x1 - this.x0)) * (WIDTH - LEFT - RIGHT);
    y = (v) => HEIGHT - BOTTOM - ((v - this.y0) / (this.y1 - this.y0)) * (HEIGHT - TOP - BOTTOM);

    add(name, attributes, text) {
      this.svg.append(element(name, attributes, text));
    }

    /** Axes; powers of ten upwards. */
    frame(xLabel, yLabel) {
      for (const v of ticks(this.x0, this.x1)) {
        this.add("line", { class: "grid", x1: this.x(v), x2: this.x(v), y1: TOP, y2: HEIGHT - BOTTOM });
        this.add("text", { x: this.x(v), y: HEIGHT - BOTTOM + 15, "text-anchor": "middle" }, run.shown(v, 3));
      }
      for (const k of decades(this.y0, this.y1)) {
        this.add("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: this.y(k), y2: this.y(k) });
        this.add("text", { x: LEFT - 6, y: this.y(k) + 4, "text-anchor": "end" }, k === 0 ? "1" : `1e${k}`);
      }
      this.add("text", { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, xLabel);
      const middle = (TOP + HEIGHT - BOTTOM) / 2;
      this.add("text", { x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` }, yLabel);
    }

    /** A line through the points whose height is known and inside. */
    line(points, kind) {
      let path = "";
      let pen = "M";
      for (const [x, y] of points) {
        if (y === null || !(y >= this.y0)) {
          pen = "M";
          continue;
        }
        path += `${pen}${this.x(x).toFixed(1)} ${this.y(Math.min(y, this.y1)).toFixed(1)}`;
        pen = "L";
      }
      if (path) this.add("path", { class: kind, d: path });
    }

    upright(x, kind, text, anchor, height = TOP + 14) {
      this.add("line", { class: kind, x1: this.x(x), x2: this.x(x), y1: TOP, y2: HEIGHT - BOTTOM });
      this.add("text", { class: `${kind} label`, x: this.x(x) + (anchor === "end" ? -5 : 5), y: height, "text-anchor": anchor }, text);
    }
  }

  /** rows: [{epsilon, remove, add}] with ln delta, null where unknown. */
  function drawCurve(svg, rows, delta, tight, byRdp) {
    const log = (v) => (v === null ? null : v / Math.LN10);
    const floor = Math.log10(delta) - 3;
    const high = Math.max(...rows.map((row) => row.epsilon));
    const plot = new Plot(svg, "delta over epsilon, removing and adding a record", [0, high], [floor, 0]);
    plot.frame("ε", "δ");
    plot.line([[0, Math.log10(delta)], [high, Math.log10(delta)]], "target");
    plot.line(rows.map((row) => [row.epsilon, log(row.add)]), "curve add");
    plot.line(rows.map((row) => [row.epsilon, log(row.remove)]), "curve remove");
    plot.upright(tight, "exact", "exact", tight > 0.15 * high ? "end" : "start", TOP + 28);
    plot.upright(byRdp, "rdp", "by RDP", "start");
  }

  function drawIntegrand(svg, q, sigma, alpha) {
    const moment = new run.Moment(q, sigma, alpha);
    const modes = q === 1 ? [alpha / sigma] : moment.modes();
    const log = (t) => (q === 1 ? -0.5 * (t - alpha / sigma) ** 2 : moment.logF(t)) / Math.LN10;
    const top = Math.max(...modes.map(log));
    const [low, high] = [Math.min(...modes) - 6, Math.max(...modes) + 6];
    const points = Array.from({ length: 241 }, (_, i) => low + ((high - low) * i) / 240).map((t) => [t, log(t) - top]);
    const least = Math.min(...modes.map((t) => log(t) - top));
    const plot = new Plot(svg, `the integrand of A at order ${run.shown(alpha, 4)}`, [low, high], [Math.min(-8, least - 5), 0.5]);
    plot.frame("t", "integrand / its maximum");
    plot.line(points, "curve remove");
    const foot = HEIGHT - BOTTOM - 8;
    for (const t of modes) plot.upright(t, "exact", `t = ${run.shown(t, 3)}`, t > low + 0.6 * (high - low) ? "end" : "start", foot);
    return modes.map((t) => ({ t, size: 10 ** (log(t) - top) }));
  }

  Object.assign(run, { drawCurve, drawIntegrand });
  if (typeof module !== "undefined") module.exports = run;
})((globalThis.sgmRun = globalThis.sgmRun || {}));
