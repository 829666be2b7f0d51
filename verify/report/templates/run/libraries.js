// Which recorded libraries were off near this run. run.libraries is given by the page (verify/report/collect/run_part.py):
// {q: [edges], sigma: [edges], asked: [[i, j, points]], families: [{name, cells: [[i, j, failed, silent, unsafe,
// bits, low, high]]}]}: cells over (q, sigma) that hold a failing point of a training run; bits of 53 lost at worst, and the
// orders between which it fails.
(function (run) {
  "use strict";

  const cell = (edges, value) => edges.filter((edge) => edge <= value).length - 1;

  /** The extent of a cell in words. */
  function span(edges, index) {
    if (index === edges.length - 1) return `${edges[index]} and above`;
    return index === 0 && edges[0] === 0 ? `below ${edges[1]}` : `${edges[index]} to ${edges[index + 1]}`;
  }

  /** What a relative error of 2^(bits-53) is to a reader. */
  function size(bits) {
    if (bits >= 53) return "no digit right";
    return `relative error up to ${run.shown(2 ** (bits - 53), 2)}`;
  }

  /** {where, asked, off: [sentences], fine: [names]} or null without data. */
  function librariesNear(q, sigma, order) {
    const given = run.libraries;
    if (!given || !given.families || !given.families.length) return null;
    const [i, j] = [cell(given.q, q), cell(given.sigma, sigma)];
    const asked = given.asked.find(([a, b]) => a === i && b === j);
    const off = [];
    const fine = [];
    for (const { name: title, cells } of given.families) {
      const found = cells.find(([a, b]) => a === i && b === j);
      if (!found) {
        fine.push(title);
        continue;
      }
      const [, , failed, silent, unsafe, bits, low, high] = found;
      const parts = [];
      if (failed) parts.push(`${failed} wrong or inexact (${size(bits)}${unsafe ? `; ${unsafe} too small, that is UNSAFE` : ""})`);
      if (silent) parts.push(`${silent} without an answer`);
      const among = order >= low && order <= high ? ", a range with the best order in it" : "";
      off.push({ title, text: `${parts.join(", ")}; orders from ${run.shown(low, 4)} to ${run.shown(high, 4)}${among}` });
    }
    return { where: `q ${span(given.q, i)}, σ ${span(given.sigma, j)}`, asked: asked ? asked[2] : 0, off, fine };
  }

  Object.assign(run, { librariesNear });
  if (typeof module !== "undefined") module.exports = run;
})((globalThis.sgmRun = globalThis.sgmRun || {}));
