// All answers about one run. A Cannot becomes {cannot: reason}: it is never a number.
(function (run) {
  "use strict";

  function attempt(ask) {
    try {
      const found = ask();
      if (!Number.isFinite(found.epsilon)) throw new run.Cannot("float64 overflows here");
      return found;
    } catch (error) {
      if (!(error instanceof run.Cannot)) throw error;
      return { cannot: error.message };
    }
  }

  /** {remove, add, tight, rdp} for doubles 0 < q <= 1, sigma > 0, whole steps >= 1, 0 < delta < 1. */
  function account(q, sigma, steps, delta) {
    const rdp = run.rdp(q, sigma, steps, delta, ["cks", "mironov", "balle"], attempt);
    const above = Math.min(...rdp.filter((row) => !row.cannot).map((row) => row.epsilon));
    const [remove, add] = [true, false].map((way) => attempt(() => run.tight(q, sigma, steps, delta, way, above)));
    const cannot = remove.cannot || add.cannot;
    const tight = cannot ? { cannot } : add.epsilon > remove.epsilon ? add : remove;
    return { remove, add, tight, rdp };
  }

  Object.assign(run, { account });
  if (typeof module !== "undefined") module.exports = run;
})((globalThis.sgmRun = globalThis.sgmRun || {}));
