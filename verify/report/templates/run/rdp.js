// epsilon by way of RDP: over the default orders of two libraries, and over all real orders.
(function (run) {
  "use strict";
  const upTo = (low, high) => Array.from({ length: high - low }, (_, i) => low + i);
  const TENTHS = upTo(1, 100).map((x) => 1 + x / 10);

  /** Defaults of dp-accounting 0.6 (DEFAULT_RDP_ORDERS) and Opacus 1.x (DEFAULT_ALPHAS). */
  const ORDERS = {
    "dp-accounting": [...TENTHS, ...upTo(11, 64), 128, 256, 512, 1024],
    opacus: [...TENTHS, ...upTo(12, 64)],
  };

  /** From K = T ln A(alpha) and L = ln(1/delta); the last two are the same number. */
  const CONVERSIONS = {
    mironov: (a, k, l) => (k + l) / (a - 1),
    cks: (a, k, l) => (k + l - Math.log(a)) / (a - 1) + Math.log1p(-1 / a),
    balle: (a, k, l) => k / (a - 1) + Math.log((a - 1) / a) - (Math.log(a) - l) / (a - 1),
  };

  /** K(alpha) of a run; every order is computed once. */
  class RenyiCurve {
    constructor(q, sigma, steps) {
      Object.assign(this, { q, sigma, steps, known: new Map() });
    }

    at(alpha) {
      if (!this.known.has(alpha)) {
        this.known.set(alpha, this.steps * run.logMoment(this.q, this.sigma, alpha));
      }
      return this.known.get(alpha);
    }
  }

  function overList(curve, logInverse, conversion, orders) {
    let best = { epsilon: Infinity, order: NaN };
    let risen = 0;
    for (const order of ORDERS[orders]) {
      const epsilon = CONVERSIONS[conversion](order, curve.at(order), logInverse);
      if (epsilon < best.epsilon) [best, risen] = [{ epsilon, order }, 0];
      else if (++risen > 3) break; // it falls, then rises
    }
    return best;
  }

  /** Golden section on ln(alpha-1), outwards from an order of the list: the converted epsilon has one valley. */
  function overAll(curve, logInverse, conversion, start) {
    const value = (x) => CONVERSIONS[conversion](1 + Math.exp(x), curve.at(1 + Math.exp(x)), logInverse);
    let middle = Math.log(start - 1);
    let here = value(middle);
    const outward = (step) => {
      let edge = middle + step;
      for (let v; (v = value(edge)) < here; edge += step) {
        [middle, here] = [edge, v];
        if (Math.abs(edge) > 14) throw new run.Cannot("the best order is too far out for float64 in a page");
      }
      return edge;
    };
    let high = outward(0.35);
    let low = outward(-0.35);
    const ratio = (Math.sqrt(5) - 1) / 2;
    let [x, y] = [high - ratio * (high - low), low + ratio * (high - low)];
    let [fx, fy] = [value(x), value(y)];
    while (high - low > 2e-6) {
      if (fx < fy) {
        [high, y, fy] = [y, x, fx];
        x = high - ratio * (high - low);
        fx = value(x);
      } else {
        [low, x, fx] = [x, y, fy];
        y = low + ratio * (high - low);
        fy = value(y);
      }
    }
    return { epsilon: Math.min(fx, fy), order: 1 + Math.exp((low + high) / 2) };
  }

  /** Rows {orders, conversion, epsilon, order}, or cannot; an epsilon below 0 means that 0 will do. */
  function rdp(q, sigma, steps, delta, conversions, attempt) {
    const curve = new RenyiCurve(q, sigma, steps);
    const logInverse = -Math.log(delta);
    const rows = [];
    const add = (orders, conversion, ask) => {
      const found = attempt(ask);
      rows.push({ orders, conversion, ...found });
      return found;
    };
    const clipped = (found) => ({ ...found, epsilon: Math.max(0, found.epsilon) });
    for (const conversion of conversions) {
      let start = 2;
      for (const orders of Object.keys(ORDERS)) {
        const found = add(orders, conversion, () => clipped(overList(curve, logInverse, conversion, orders)));
        if (!found.cannot) start = found.order;
      }
      add("all real orders", conversion, () => clipped(overAll(curve, logInverse, conversion, start)));
    }
    return rows;
  }

  Object.assign(run, { ORDERS, CONVERSIONS, RenyiCurve, rdp });
  if (typeof module !== "undefined") module.exports = run;
})((globalThis.sgmRun = globalThis.sgmRun || {}));
