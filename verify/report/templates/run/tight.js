// The exact epsilon(delta) after T steps, in float64, with an estimate of its error: by a closed form (full batches, one step),
// else on two contours that differ in everything one can choose. If they do not agree, there is no answer.
(function (run) {
  "use strict";
  const AGREE = 5e-9; // relative to epsilon
  const WAYS = [{ at: 1, width: 1, bend: 0.4, line: 1 }, { at: 0.83, width: 0.9, bend: 0.32, line: 0.85 }];

  /**
   * epsilon at a delta: Newton's method on ln delta, kept inside a bracket (low = 0, high given); 0 if delta(0) is less.
   * at(eps) gives {logDelta, slope, error}: ln delta, its derivative and the error of ln delta.
   */
  function search(at, logDelta, start, high) {
    let low = 0;
    let x = start;
    let failed = 0;
    let positive = false; // whether delta(0) is known to be above the target
    for (let round = 0; round < 80; round++) {
      let value;
      try {
        value = at(x);
        if (value.slope === 0 && value.logDelta > logDelta) {
          // so far left that delta is 1 to all digits
          low = Math.max(low, x);
          x = (x + high) / 2;
          continue;
        }
        if (!(value.slope < 0)) throw new run.Cannot("delta does not fall");
      } catch (problem) {
        // far to the right of the answer delta drowns in what cancels: try further left
        if (!(problem instanceof run.Cannot) || ++failed > 14) throw problem;
        x = low > 0 ? (low + x) / 2 : x / 1.6;
        continue;
      }
      const { logDelta: here, slope, error } = value;
      const move = (here - logDelta) / -slope;
      const unsure = error / -slope + 2e-15 * x;
      if (Math.abs(move) < 1e-12 * x + 0.05 * unsure) return { epsilon: x + move, unsure };
      if (move > 0) low = Math.max(low, x);
      else high = Math.min(high, x);
      let next = x + move;
      if (!(next < high)) next = (Math.max(low, x) + high) / 2;
      if (!(next > low)) {
        if (low === 0 && !positive) {
          const gap = at(0).logDelta - logDelta;
          if (gap < -1e-7) return { epsilon: 0, unsure: 0 };
          if (gap < 1e-7) throw new run.Cannot("delta is too close to the total variation");
          positive = true;
        }
        next = low > 0 ? (low + high) / 2 : x / 8;
      }
      x = Math.min(next, 4 * x);
    }
    throw new run.Cannot("epsilon was not found");
  }

  /** at(eps) on contours of one kind, a new one where the last no longer fits. */
  function onContours(direction, way) {
    let contour = null;
    return (eps) => {
      if (!contour || Math.abs(eps - contour.eps) * (contour.c - 1) > 3) {
        contour = direction.contour(eps, way);
        contour.eps = eps;
      }
      const value = contour.at(eps);
      return { ...value, error: value.error + 1e-15 * value.lost };
    };
  }

  /** {epsilon, unsure} by each way of computing delta; they must agree. */
  function agreed(ways, delta, guess, high) {
    const logDelta = Math.log(delta);
    const found = [];
    for (const at of ways) {
      const start = found.length ? found[0].epsilon : guess > 0 && guess < high ? guess : high / 2;
      found.push(search(at, logDelta, start, high));
      if (found[0].epsilon === 0) {
        if (ways.every((other) => other(0).logDelta < logDelta - 1e-7)) return found[0];
        throw new run.Cannot("delta is too close to the total variation");
      }
    }
    const [first, second = first] = found;
    const unsure = Math.max(first.unsure, second.unsure, Math.abs(first.epsilon - second.epsilon));
    if (!(unsure <= AGREE * first.epsilon)) throw new run.Cannot("float64 does not hold eight digits here");
    return { epsilon: first.epsilon, unsure };
  }

  /** delta in one direction as functions of epsilon: closed forms where there are, else two contours. */
  function ways(q, sigma, steps, remove) {
    const closed = (formula) => (eps) => {
      const [delta, fall, parts] = formula(eps);
      if (!(delta > 0)) throw new run.Cannot("delta cancels");
      return { logDelta: Math.log(delta), slope: -fall / delta, error: (2e-14 * parts) / delta };
    };
    if (q === 1) return { end: Infinity, at: [closed((eps) => run.gaussian(eps, Math.sqrt(steps) / sigma))] };
    const end = remove ? Infinity : -steps * Math.log1p(-q);
    const single = remove ? run.singleRemove : run.singleAdd;
    if (steps === 1) return { end, at: [closed((eps) => single(eps, q, sigma))] };
    const direction = new run.Direction(new run.Step(q, sigma), steps, remove);
    return { end, direction, at: WAYS.map((way) => onContours(direction, way)) };
  }

  /** {epsilon, unsure} of one direction; `above` is a bound of epsilon from above, by RDP. */
  function tight(q, sigma, steps, delta, remove, above) {
    if (above === 0) return { epsilon: 0, unsure: 0 };
    const { end, direction, at } = ways(q, sigma, steps, remove);
    const high = Math.min(above * (1 + 1e-9), end);
    return agreed(at, delta, direction ? direction.guess(Math.log(delta)) : high / 2, high);
  }

  /** A function from epsilon to ln delta in one direction, for a drawing: null where it cannot be had. */
  function curve(q, sigma, steps, remove) {
    const { end, at } = ways(q, sigma, steps, remove);
    return (eps) => {
      if (eps >= end) return -Infinity;
      try {
        return at[0](eps).logDelta;
      } catch (error) {
        if (!(error instanceof run.Cannot)) throw error;
        return null;
      }
    };
  }

  Object.assign(run, { tight, curve });
  if (typeof module !== "undefined") module.exports = run;
})((globalThis.sgmRun = globalThis.sgmRun || {}));
