// M(w) = E[g^w] at complex order w = a + iy, y >= 0, in float64, and a rough K = ln M with derivatives to plan with.
//
// The trapezoidal rule on a path t(x) = x + i eta(x) in the complex plane, where phi g^w is analytic: ln g has branch points
// at Re t = bend := sigma ln(p/q) + 1/(2 sigma), |Im t| = pi sigma. Below them |g^w| = |g|^a e^{-y arg g}, arg g >= 0: height
// damps what oscillates, so that one grid serves every y. To the right of the bend the path may rise, towards the saddle
// point w/sigma of the Gaussian there; without that, large a and y would cancel. What is summed is M - 1 = E[g^w - 1 - w u].
(function (run) {
  "use strict";
  const LOG_SQRT_2PI = 0.5 * Math.log(2 * Math.PI);
  const SLOPE = 0.6; // of the rising path; below 1, the direction of steepest descent
  const MOST_WORK = 4e6; // terms, a fraction of a second
  const DEEP = 44; // nats below the largest term at which a term is left out

  class Step {
    constructor(q, sigma) {
      Object.assign(this, { q, sigma, work: 0 });
      this.logP = Math.log1p(-q);
      this.logQ = Math.log(q);
      this.shift = 0.5 / (sigma * sigma);
      this.bend = sigma * (this.logP - this.logQ) + 0.5 / sigma;
    }

    logG(t) {
      const x = t / this.sigma - this.shift;
      const u = this.q * Math.expm1(Math.min(x, 300));
      if (Math.abs(u) < 0.5) return Math.log1p(u);
      const [big, small] = t < this.bend ? [this.logP, this.logQ + x] : [this.logQ + x, this.logP];
      return big + Math.log1p(Math.exp(small - big));
    }

    /** X/g, logistic in t. */
    share(t) {
      return 1 / (1 + Math.exp(Math.min(700, (this.bend - t) / this.sigma)));
    }

    /** The zeros of the derivative of ln(phi g^a) nearest to 0 and farthest right. */
    peaks(a) {
      const slope = a / this.sigma;
      if (a < 0) {
        let [low, high] = [slope, 0];
        while (high - low > 1e-3) {
          const t = (low + high) / 2;
          if (slope * this.share(t) > t) low = t;
          else high = t;
          if (t === low && t === high) break;
        }
        return [low, low];
      }
      const settle = (t) => {
        for (let i = 0, before = NaN; i < 80 && Math.abs(t - before) > 1e-3; i++) {
          [t, before] = [slope * this.share(t), t];
        }
        return t;
      };
      return [settle(0), settle(slope)];
    }

    /** [K, K', K''] at real order, good enough to plan with. */
    cumulants(a) {
      const [near, far] = this.peaks(a);
      const h = 0.4 * Math.min(1, this.sigma);
      const spans = far - near < 22 ? [[near - 9, far + 9]] : [[near - 9, near + 11], [far - 9, far + 9]];
      let [top, total, first, second, excess] = [-Infinity, 0, 0, 0, 0];
      for (const [low, high] of spans) {
        for (let j = Math.floor(low / h); j <= high / h; j++) {
          const t = j * h;
          const log = this.logG(t);
          const e = a * log - 0.5 * t * t;
          if (e > top + 30) {
            const scale = Math.exp(top - e);
            [total, first, second, top] = [total * scale, first * scale, second * scale, e];
          }
          const weight = Math.exp(e - top);
          total += weight;
          first += weight * log;
          second += weight * log * log;
          if (Math.abs(e) < 300) {
            const u = this.q * Math.expm1(t / this.sigma - this.shift);
            excess += Math.exp(-0.5 * t * t) * (Math.exp(log) * Math.expm1((a - 1) * log) - (a - 1) * u);
          }
        }
      }
      const mean = first / total;
      const k = top + Math.log(total * h) - LOG_SQRT_2PI;
      const fine = (excess * h) / Math.exp(LOG_SQRT_2PI);
      return [Math.abs(k) < 0.1 && fine > -1 ? Math.log1p(fine) : k, mean, Math.max(second / total - mean * mean, 1e-300)];
    }

    /** A line with its step, for orders from a on; `part` lowers it. */
    line(a, part) {
      const room = 0.4 * Math.PI * this.sigma;
      const [near] = this.peaks(a);
      const top = (height) => {
        let most = -Infinity;
        for (let i = -24; i < 60; i++) most = Math.max(most, this.size(a, 0, near + 0.25 * i * Math.min(1, this.sigma), height));
        return most;
      };
      // off the real axis |g|^a grows if a < 0: what the line amplifies is lost to cancellation
      let eta = Math.min(room, 1.6);
      const level = top(0);
      while (a < 0 && (top(eta) > level + 2 || top(2 * eta) > level + 8)) eta *= 0.8;
      eta *= part;
      const strip = a < 0 ? Math.max(0, top(2 * eta) - level) : 2 * eta * eta;
      // A rising path climbs right of the bulk, passes level well below the branch points, and climbs on beyond the bend.
      const climb = Math.max(0, room - eta) / SLOPE;
      const late = this.bend - climb;
      const start = late > 3 ? 3 : Math.max(late, Math.min(3, Math.max(0, this.bend)));
      const ramps = [start, start + climb, Math.max(this.bend, start + climb)];
      return { eta, ramps, step: (2 * Math.PI * eta) / (40 + strip), table: null };
    }

    /** ln M(a + iy) as [re, im]. */
    logMoment(a, y, line) {
      const { sigma } = this;
      const { eta, ramps, step } = line;
      const [near, far] = this.peaks(a);
      const right = Math.max(1 / sigma, near, 0) + 9 + eta;
      const hump = far > near + 5 && this.hump(a, y, eta, near, far) > -DEEP;
      const rise = hump ? Math.max(0, Math.min(SLOPE, (y / sigma - eta) / Math.max(a / sigma - ramps[2] + ramps[1] - ramps[0], 1))) : 0;
      let last = hump ? Math.max(right, far + 9 + eta) : right;
      if (rise > 0) last = this.descent(a, y, line, rise, right, last);
      const fine = rise > 0 ? 0.6 * step : step; // rounded corners are less analytic than a straight line
      const first = Math.floor((Math.min(near, 0) - 9 - eta) / fine);
      const count = Math.ceil(last / fine) - first;
      this.work += count;
      if (this.work > MOST_WORK) throw new run.Cannot("it would take too long in a page");
      const nodes = rise > 0 ? this.nodes(line, rise, fine, first, count) : this.levelNodes(line, first, count);
      return run.logSum(nodes, a, y);
    }

    /** ln |phi g^w| at height eta. */
    size(a, y, x, eta) {
      const [re, im] = this.logGAt(x, eta);
      return 0.5 * (eta * eta - x * x) + a * re - y * im;
    }

    /** The largest of |phi g^w| on the level line beyond the left peak, in logarithms. */
    hump(a, y, eta, near, far) {
      let most = this.size(a, y, Math.max(near, this.bend), eta);
      for (let i = 1; i <= 12; i++) most = Math.max(most, this.size(a, y, near + 6 + ((far - near - 6) * i) / 12, eta));
      return most;
    }

    /**
     * Where |phi g^w| on the rising path has fallen for good. Beyond the bend, where g is almost X, its logarithm is a
     * parabola; around the bend it may have a valley, so the last point above the floor is looked for from the right.
     */
    descent(a, y, line, rise, start, most) {
      const origin = line.ramps[2] - line.ramps[1] + line.ramps[0];
      const at = (x) => this.size(a, y, x, line.eta + rise * (x - origin));
      const bow = 1 - rise * rise;
      const vertex = (rise * (line.eta - rise * origin) + (a - rise * y) / this.sigma) / bow;
      const height = line.eta + rise * (vertex - origin);
      const top = 0.5 * (height * height - vertex * vertex) + a * (this.logQ + vertex / this.sigma - this.shift) - (y * height) / this.sigma;
      const reach = Math.sqrt(2 * Math.max(0, top + DEEP + 2) / bow);
      const settled = this.bend + this.sigma * (Math.log(a + 2) + 3);
      let x = Math.min(most, Math.max(settled, vertex + reach));
      while (x > start && at(x) < -DEEP) x -= 1;
      return Math.max(start, x + 1);
    }

    /** ln g at x + i eta below the branch points or to the right of them, as [re, im]. */
    logGAt(x, eta) {
      const off = x - this.bend;
      const re = this.logQ + x / this.sigma - this.shift;
      const im = eta / this.sigma;
      // the smaller of p and X over the larger: inside the unit disc, hence no jump of the logarithm
      const size = Math.exp(-Math.abs(off) / this.sigma);
      const cr = size * Math.cos(im);
      const ci = (off < 0 ? 1 : -1) * size * Math.sin(im);
      const rest = 0.5 * Math.log1p(2 * cr + cr * cr + ci * ci);
      return [(off < 0 ? this.logP : re) + rest, (off < 0 ? 0 : im) + Math.atan2(ci, 1 + cr)];
    }

    levelNodes(line, first, count) {
      const old = line.table;
      if (!old || first < old.first || first + count > old.first + old.count) {
        const low = old ? Math.min(first, old.first) : first;
        const last = first + count;
        const high = old ? Math.max(last + (count >> 1), old.first + old.count) : last; // room to grow
        line.table = this.nodes(line, 0, line.step, low, high - low);
      }
      return line.table;
    }

    /** Weights phi(t) dt in logarithms, ln g and u along the path. */
    nodes(line, rise, step, first, count) {
      const made = { first, count };
      for (const name of ["wr", "wi", "lr", "li", "ur", "ui", "kr", "ki"]) made[name] = new Float64Array(count);
      const round = Math.min(1, this.sigma);
      for (let j = 0; j < count; j++) {
        const x = (first + j) * step;
        let y = line.eta;
        let slope = 0;
        for (let i = 0; rise > 0 && i < 3; i++) {
          // (off + sqrt(off^2 + round^2))/2: a ramp with a rounded corner
          const off = x - line.ramps[i];
          const root = Math.sqrt(off * off + round * round);
          const ramp = (i === 1 ? -0.5 : 0.5) * rise * (off > 0 ? off + root : (round * round) / (root - off));
          y += ramp;
          slope += ramp / root;
        }
        made.wr[j] = 0.5 * (y * y - x * x) + Math.log(step) - LOG_SQRT_2PI + 0.5 * Math.log1p(slope * slope);
        made.wi[j] = -x * y + Math.atan(slope);
        made.kr[j] = Math.exp(made.wr[j]) * Math.cos(made.wi[j]);
        made.ki[j] = Math.exp(made.wr[j]) * Math.sin(made.wi[j]);
        const re = x / this.sigma - this.shift;
        const im = y / this.sigma;
        const grown = Math.exp(Math.min(re, 690));
        const half = Math.sin(0.5 * im);
        const ur = this.q * (Math.expm1(Math.min(re, 690)) * Math.cos(im) - 2 * half * half);
        const ui = this.q * grown * Math.sin(im);
        made.ur[j] = ur;
        made.ui[j] = ui;
        if (ur * ur + ui * ui < 0.25) {
          made.lr[j] = 0.5 * Math.log1p(2 * ur + ur * ur + ui * ui);
          made.li[j] = Math.atan2(ui, 1 + ur);
        } else {
          [made.lr[j], made.li[j]] = this.logGAt(x, y);
        }
      }
      return made;
    }
  }

  Object.assign(run, { Step });
  if (typeof module !== "undefined") module.exports = run;
})((globalThis.sgmRun = globalThis.sgmRun || {}));
