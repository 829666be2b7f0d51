// ln A at real order, in float64: A = E[g^alpha], g = 1 + u, u = q (e^x - 1), x = t/sigma - 1/(2 sigma^2), t standard
// normal, by the trapezoidal rule. If ln A is not small, g^alpha is summed in logarithms around its two peaks; if it is
// small, the positive terms of A - 1 = E[(1+u)^alpha - 1 - alpha u], so that nothing cancels at tiny epsilon.
(function (run) {
  "use strict";
  const DEPTH = 45; // e^-45 is far below the rounding error of the sum
  const SQRT_2PI = Math.sqrt(2 * Math.PI);
  const MOST_NODES = 2e6;

  /** What float64 in a page cannot do: said to the reader, never turned into a number. */
  class Cannot extends Error {}

  /** a * b as an unevaluated sum of two doubles (Veltkamp and Dekker: there is no fma here). */
  function product(a, b) {
    const split = (x) => {
      const c = 134217729 * x;
      const high = c - (c - x);
      return [high, x - high];
    };
    const [ah, al] = split(a);
    const [bh, bl] = split(b);
    const p = a * b;
    return [p, ah * bh - p + ah * bl + al * bh + al * bl];
  }

  /** (alpha-1)/(2 sigma^2) + ln q, which cancels where the two peaks balance. */
  function balance(q, sigma, delta) {
    const ln2High = 0x162e42fee / 2 ** 33; // 33 bits, so that its multiples are exact
    const ln2Low = 1.9082149292705877e-10;
    const [s, sLow] = product(sigma, sigma);
    const p = delta / (2 * s);
    const [back, backLow] = product(p, 2 * s);
    const pLow = (delta - back - backLow - 2 * p * sLow) / (2 * s);
    let [m, e] = [q, 0];
    for (; m < 0.7; e--) m *= 2;
    const c = e * ln2High;
    const sum = p + c;
    const b = sum - p;
    const sumLow = p - (sum - b) + (c - b);
    return sum + (sumLow + pLow + e * ln2Low + Math.log(m));
  }

  /** Small enough for an error of e^-45 in a strip of half-width min(9, 3 sigma); few bits. */
  function gridStep(sigma) {
    const d = Math.min(9, 3 * sigma);
    const h = (2 * Math.PI * d) / (DEPTH + (d * d) / 2);
    const unit = 2 ** (Math.floor(Math.log2(h)) - 9);
    return Math.floor(h / unit) * unit;
  }

  /** One sampling rate 0 < q < 1, noise multiplier and order above 1. */
  class Moment {
    constructor(q, sigma, alpha) {
      Object.assign(this, { q, sigma, alpha });
      this.delta = alpha - 1; // exact for every double >= 1
      this.shift = 0.5 / (sigma * sigma);
      this.odds = (1 - q) / q;
      this.logQ = Math.log(q);
      this.balance = balance(q, sigma, this.delta);
      this.h = gridStep(sigma);
    }

    x(t) {
      return t / this.sigma - this.shift;
    }

    logG(x) {
      if (x > 30) return x + this.logQ + Math.log1p(this.odds * Math.exp(-x));
      const u = this.q * Math.expm1(x);
      return u > -0.5 ? Math.log1p(u) : Math.log(1 - this.q + this.q * Math.exp(x));
    }

    /** ln of e^{-t^2/2} g^alpha, from whichever end loses fewer digits. */
    logF(t) {
      const x = this.x(t);
      if (t * this.sigma > 0.5 * this.alpha && x > 0) {
        const y = t - this.alpha / this.sigma;
        return this.alpha * this.balance - 0.5 * y * y + this.alpha * Math.log1p(this.odds * Math.exp(-x));
      }
      return -0.5 * t * t + this.alpha * this.logG(x);
    }

    /** ln of e^{-t^2/2} g */
    logFG(t) {
      const x = this.x(t);
      if (t * this.sigma > 0.5 && x > 0) {
        const y = t - 1 / this.sigma;
        return this.logQ - 0.5 * y * y + Math.log1p(this.odds * Math.exp(-x));
      }
      return -0.5 * t * t + this.logG(x);
    }

    /** A peak: the fixed point t = (alpha/sigma) X/g, from either end. */
    mode(t) {
      for (let i = 0; i < 200; i++) {
        const next = this.alpha / this.sigma / (1 + this.odds * Math.exp(-this.x(t)));
        if (Math.abs(next - t) < 0.01) return next;
        t = next;
      }
      return t;
    }

    /** The peaks of e^{-t^2/2} g^alpha: one or two. */
    modes() {
      const found = [this.mode(0), this.mode(this.alpha / this.sigma)];
      return found[1] - found[0] < 0.1 ? found.slice(0, 1) : found;
    }

    logA() {
      const peaks = [this.mode(0), this.mode(this.alpha / this.sigma)];
      const top = Math.max(...peaks.map((t) => this.logF(t)));
      const level = (j) => this.logF(j * this.h) - top;
      let total = 0;
      let reached = -Infinity;
      for (const peak of peaks) {
        const centre = Math.round(peak / this.h);
        let j = Math.max(centre, reached + 1);
        for (let l; (l = level(j)) > -DEPTH; j++) total += Math.exp(l);
        for (let k = centre - 1, l; k > reached && (l = level(k)) > -DEPTH; k--) total += Math.exp(l);
        reached = Math.max(reached, j - 1);
      }
      return top + Math.log((total * this.h) / SQRT_2PI);
    }

    /** ((1+u)^alpha - 1 - alpha u) / ((alpha-1) u^2) by its series. */
    tail(u) {
      let term = this.alpha / 2;
      let total = term;
      for (let k = 2; Math.abs(term) > 1e-18 * Math.abs(total); k++) {
        term *= ((this.alpha - k) / (k + 1)) * u;
        total += term;
      }
      return total;
    }

    direct(t, x) {
      const l = this.logG(x);
      const gauss = Math.exp(-0.5 * t * t);
      if (this.delta * l > DEPTH) return Math.exp(this.logF(t)) / this.delta;
      const grown = Math.expm1(this.delta * l) / this.delta;
      if (l > 0.7) return Math.exp(this.logFG(t)) * (grown - 1) + gauss;
      const u = this.q * Math.expm1(x);
      return gauss * ((u > -0.5 ? 1 + u : Math.exp(l)) * grown - u);
    }

    /** (A - 1)/(alpha - 1), every term positive. */
    small() {
      let byQ2 = 0;
      let rest = 0;
      const last = (Math.max(this.alpha, 2) / this.sigma + 10) / this.h;
      if (last > MOST_NODES) throw new Cannot("the order is too large for float64 in a page");
      for (let j = Math.floor(-10 / this.h); j <= last; j++) {
        const t = j * this.h;
        const x = this.x(t);
        const v = Math.expm1(x);
        const u = this.q * v;
        if (x < 700 && Math.abs(u) * this.alpha < 0.5) {
          byQ2 += Math.exp(-0.5 * t * t) * v * v * this.tail(u);
        } else {
          rest += this.direct(t, x);
        }
      }
      const scale = this.h / SQRT_2PI;
      return this.q * (this.q * (byQ2 * scale)) + rest * scale;
    }
  }

  /** ln A(q, sigma, alpha) for alpha > 1. */
  function logMoment(q, sigma, alpha) {
    if (q === 1) return (alpha * (alpha - 1)) / (2 * sigma * sigma);
    const moment = new Moment(q, sigma, alpha);
    const logA = moment.logA();
    return logA > 0.3 ? logA : Math.log1p(moment.delta * moment.small());
  }

  Object.assign(run, { Cannot, Moment, logMoment });
  if (typeof module !== "undefined") module.exports = run;
})((globalThis.sgmRun = globalThis.sgmRun || {}));
