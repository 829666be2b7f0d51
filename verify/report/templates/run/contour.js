// The exact delta(epsilon) after T steps as a contour integral, in float64.
//
// delta(eps) = (1/pi) Im int f(z) dz from c > 1 upwards, f = psi(z) e^{-eps(z-1)}/(z(z-1)), psi(z) = M(z)^T for removing a
// record, M(1-z)^T for adding one. The contour goes through the saddle point and bends towards larger orders w (w = z, or
// 1-z): Re w = a + BEND (sqrt(y^2 + R^2) - R), y = B sinh s, so that f falls exponentially even where psi hardly does.
// The trapezoidal rule in s is halved until it stands still.
(function (run) {
  "use strict";
  const TOLERANCE = 1e-10; // of the halving, relative to delta
  const MOST = 3000; // outer nodes
  const PARTS = [1, 0.97, 0.93, 0.87, 0.8, 0.65, 0.5, 0.35];

  /** One direction of a run with 0 < q < 1. */
  class Direction {
    constructor(step, steps, remove) {
      Object.assign(this, { step, steps, remove });
      this.end = remove ? Infinity : -steps * step.logP;
    }

    order(c) {
      return this.remove ? c : 1 - c;
    }

    /** At z = c real: the epsilon whose saddle point it is, an estimate of ln delta there, the curvature, ln f. */
    saddle(c, at) {
      const [k, k1, k2] = this.step.cumulants(this.order(c)).map((v) => v * this.steps);
      const eps = (this.remove ? k1 : -k1) - 1 / c - 1 / (c - 1);
      const curvature = k2 + c ** -2 + (c - 1) ** -2;
      const logDelta = k - eps * (c - 1) - Math.log(c * (c - 1)) - 0.5 * Math.log(2 * Math.PI * curvature);
      return { eps, logDelta, curvature, logF: k - at * (c - 1) - Math.log(c * (c - 1)) };
    }

    /**
     * The loss of the rare large steps that show in psi(c): they make it oscillate as e^{i loss y}, and a rule with too
     * coarse a step would see that as a constant. 0 if there are none to speak of.
     */
    jump(c) {
      const { logQ, shift } = this.step;
      if (!this.remove || c * logQ + c * (c - 1) * shift + Math.log(this.steps) < -40) return 0;
      return Math.max(0, (2 * c - 1) * shift + logQ);
    }

    /** The c > 1 at which an increasing function changes sign. */
    solve(value) {
      let x = 0;
      const sign = value(2) < 0 ? 1 : -1;
      do x += sign;
      while (Math.abs(x) < 25 && value(1 + Math.exp(x)) < 0 === sign > 0);
      let [low, high] = [Math.min(x - sign, x), Math.max(x - sign, x)];
      while (high - low > 0.03) {
        const middle = (low + high) / 2;
        if (value(1 + Math.exp(middle)) < 0) low = middle;
        else high = middle;
      }
      return 1 + Math.exp((low + high) / 2);
    }

    /** epsilon at that delta: the saddle point estimate, or, if much less, that of a normal bulk with rare jumps. */
    guess(logDelta) {
      const c = this.solve((x) => logDelta - this.saddle(x).logDelta);
      let best = Infinity;
      for (const part of PARTS) {
        const at = 1 + (c - 1) * part;
        const { eps, logDelta: there } = this.saddle(at);
        const value = eps + (there - logDelta) / (at - 1);
        if (value > best) break;
        best = value;
      }
      const simple = this.bulkAndJumps(logDelta);
      return Math.min(simple < 0.5 * best ? simple : best, 0.999 * this.end);
    }

    bulkAndJumps(logDelta) {
      const { q, sigma } = this.step;
      const [, k1, k2] = this.step.cumulants(this.order(1)).map((v) => v * this.steps);
      const mean = this.remove ? k1 : -k1;
      const jump = (eps) => {
        const t = sigma * Math.log1p(Math.expm1(Math.min(eps, 600)) / q) + 0.5 / sigma;
        return (1 - q) * run.above(t) + q * run.above(t - 1 / sigma);
      };
      let [low, high] = [1e-12, 1e6];
      while (high > 1.01 * low) {
        const eps = Math.sqrt(low * high);
        const chance = run.above((eps - mean) / Math.sqrt(k2)) + (this.remove ? this.steps * jump(eps) : 0);
        if (chance > Math.exp(logDelta)) low = eps;
        else high = eps;
      }
      return low;
    }

    /**
     * A contour for epsilons near this one: through the saddle point, or to its left if f is not much larger there
     * and its peak much wider (with tiny q, ln psi has a kink, from which the peak is narrow).
     */
    contour(eps, way) {
      const middle = this.solve((c) => this.saddle(c).eps - eps);
      let best = null;
      let least = Infinity;
      let widest = 0;
      for (const part of PARTS) {
        const c = 1 + (middle - 1) * part * way.at;
        const { logF, curvature } = this.saddle(c, eps);
        least = Math.min(least, logF);
        if (logF - least > 8) break;
        const width = way.width / Math.sqrt(curvature);
        // nodes: fine enough for the jumps, and more the narrower the peak is beside the others
        widest = Math.max(widest, width);
        const cost = Math.max(19, width * this.jump(c), (10 * widest) / width);
        if (!best || cost < 0.7 * best.cost || (cost <= best.cost && width > 1.4 * best.width)) best = { c, width, cost };
      }
      return new Contour(this, best.c, best.width, Math.max(best.width, 2 * way.bend * best.c), way);
    }
  }

  /** Nodes on one contour; f without the factor that depends on epsilon. */
  class Contour {
    constructor(direction, c, width, radius, way) {
      Object.assign(this, { direction, c, width, radius, bend: way.bend });
      this.line = direction.step.line(direction.order(c), way.line);
      this.h = Math.min(0.16, 3 / (width * direction.jump(c)));
      this.least = this.h / 40;
      this.nodes = new Map(); // by s
    }

    node(s) {
      let found = this.nodes.get(s);
      if (found) return found;
      const { direction, width, radius, bend } = this;
      const y = width * Math.sinh(s);
      const dy = width * Math.cosh(s);
      const root = Math.sqrt(y * y + radius * radius);
      const move = (bend * y * y) / (root + radius);
      const slope = (bend * y) / root;
      const sign = direction.remove ? 1 : -1;
      // z = x + iy with x - 1 kept apart, since c - 1 may be tiny
      const less = this.c - 1 + sign * move;
      const [mr, mi] = direction.step.logMoment(direction.order(this.c) + move, y, this.line);
      const logRe = direction.steps * mr + Math.log(dy) + 0.5 * Math.log1p(slope * slope)
        - 0.5 * Math.log((less * less + y * y) * ((less + 1) ** 2 + y * y));
      const logIm = sign * direction.steps * mi + Math.atan2(1, sign * slope) - Math.atan2(y, less) - Math.atan2(y, less + 1);
      found = { less, y, logRe, logIm };
      this.nodes.set(s, found);
      return found;
    }

    /** {delta, fall = -d delta/d eps, size: of the terms before they cancel} at one step of the rule. */
    sum(eps, h) {
      let [delta, fall, size, top] = [0, 0, 0, NaN];
      for (let k = 0, quiet = 0; quiet < 8; k++) {
        if (k > MOST) throw new run.Cannot("the sum is too long for float64 in a page");
        const { less, y, logRe, logIm } = this.node(k * h);
        const e = logRe - eps * less;
        if (k === 0) top = e;
        if (e - top > 30) throw new run.Cannot("the contour grows");
        quiet = e < top - 41 ? quiet + 1 : 0;
        const weight = (k === 0 ? 0.5 : 1) * Math.exp(e - top);
        const turn = logIm - eps * y;
        const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
        delta += weight * sin;
        fall += weight * (less * sin + y * cos);
        size += weight;
      }
      if (!(delta > 0)) throw new run.Cannot("the sum cancels");
      const scale = Math.log(h / Math.PI) + top;
      return { logDelta: Math.log(delta) + scale, slope: -fall / delta, lost: size / delta };
    }

    /** ln delta and its derivative, halved until it stands still. */
    at(eps) {
      let last = this.sum(eps, this.h);
      for (let h = this.h / 2; h > this.least; h /= 2) {
        const next = this.sum(eps, h);
        const error = Math.abs(next.logDelta - last.logDelta);
        if (error < TOLERANCE || error ** 2 < 1e-3 * TOLERANCE) {
          this.h = 2 * h;
          return { ...next, error: Math.min(error, 1e-11 + error ** 1.5) };
        }
        last = next;
      }
      throw new run.Cannot("the sum does not settle");
    }
  }

  Object.assign(run, { Direction });
  if (typeof module !== "undefined") module.exports = run;
})((globalThis.sgmRun = globalThis.sgmRun || {}));
