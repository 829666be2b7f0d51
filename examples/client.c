/* A careful double-precision accountant in C that speaks the harness protocol.
 *
 *     cc -O2 -o client client.c -lm      (no -ffast-math: the compensated sums would be optimised away)
 *
 * epsilon = ln A / (alpha - 1), A = E[g^alpha], g = 1 + u, u = q (e^x - 1),
 * x = t/sigma - 1/(2 sigma^2), t standard normal, by the trapezoidal rule. If ln A is not small, g^alpha
 * is summed in logarithms around its two peaks; if it is small, the positive terms of
 * A - 1 = E[(1+u)^alpha - 1 - alpha u] are summed, so that no digits cancel.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 45.0 /* e^-45 is far below the rounding error of the sum */
#define SQRT_2PI 2.50662827463100050242

typedef struct {
    double q, sigma, alpha;
    double delta;   /* alpha - 1, exact */
    double shift;   /* 1/(2 sigma^2) */
    double odds;    /* (1-q)/q */
    double log_q;
    double balance; /* (alpha-1)/(2 sigma^2) + ln q, without cancellation */
    double h;
} point;

static double balance(double q, double sigma, double delta) {
    /* ln 2 in two parts; the first has 32 bits, so that its multiples are exact. */
    const double ln2_hi = 0x1.62e42feep-1, ln2_lo = 0x1.a39ef35793c76p-33;
    double s = sigma * sigma, s_lo = fma(sigma, sigma, -s);
    double p = delta / (2 * s);
    double p_lo = (fma(-p, 2 * s, delta) - 2 * p * s_lo) / (2 * s);
    int e;
    double m = frexp(q, &e);
    if (m < 0.7) m *= 2, e -= 1;
    double c = e * ln2_hi, sum = p + c, back = sum - p;
    double sum_lo = (p - (sum - back)) + (c - back);
    return sum + (sum_lo + p_lo + e * ln2_lo + log(m));
}

static double step(double sigma) {
    double d = fmin(9.0, 3.0 * sigma);
    int e;
    double m = frexp(2 * acos(-1.0) * d / (DEPTH + d * d / 2), &e);
    return ldexp(floor(m * 1024), e - 10); /* few bits: multiples and their squares are exact */
}

static double arg(const point *p, double t) { return t / p->sigma - p->shift; }

static double log_g(const point *p, double x) {
    if (x > 30) return x + p->log_q + log1p(p->odds * exp(-x));
    double u = p->q * expm1(x);
    return u > -0.5 ? log1p(u) : log((1 - p->q) + p->q * exp(x));
}

/* ln of e^{-t^2/2} g^alpha, from whichever end loses fewer digits */
static double log_f(const point *p, double t) {
    double x = arg(p, t);
    if (t * p->sigma > 0.5 * p->alpha && x > 0) {
        double y = t - p->alpha / p->sigma;
        return p->alpha * p->balance - 0.5 * y * y + p->alpha * log1p(p->odds * exp(-x));
    }
    return -0.5 * t * t + p->alpha * log_g(p, x);
}

/* ln of e^{-t^2/2} g */
static double log_fg(const point *p, double t) {
    double x = arg(p, t);
    if (t * p->sigma > 0.5 && x > 0) {
        double y = t - 1.0 / p->sigma;
        return p->log_q - 0.5 * y * y + log1p(p->odds * exp(-x));
    }
    return -0.5 * t * t + log_g(p, x);
}

/* A peak: the fixed point t = (alpha/sigma) p(t), from either end */
static double mode(const point *p, double t) {
    for (int i = 0; i < 200; i++) {
        double next = p->alpha / p->sigma / (1 + p->odds * exp(-arg(p, t)));
        if (fabs(next - t) < 0.01) break;
        t = next;
    }
    return t;
}

static double log_a(const point *p) {
    double peaks[2] = {mode(p, 0.0), mode(p, p->alpha / p->sigma)};
    double top = fmax(log_f(p, peaks[0]), log_f(p, peaks[1])), total = 0, reached = -INFINITY, level;
    for (int i = 0; i < 2; i++) {
        double centre = nearbyint(peaks[i] / p->h), j = fmax(centre, reached + 1), k = centre - 1;
        for (; (level = log_f(p, j * p->h) - top) > -DEPTH; j++) total += exp(level);
        for (; k > reached && (level = log_f(p, k * p->h) - top) > -DEPTH; k--) total += exp(level);
        reached = fmax(reached, j - 1);
    }
    return top + log(total * p->h / SQRT_2PI);
}

/* ((1+u)^alpha - 1 - alpha u) / ((alpha-1) u^2) by its series */
static double tail(double alpha, double u) {
    double term = alpha / 2, total = term;
    for (int k = 2; fabs(term) > 1e-18 * fabs(total); k++) {
        term *= (alpha - k) / (k + 1) * u;
        total += term;
    }
    return total;
}

static double direct(const point *p, double t, double x) {
    double l = log_g(p, x), gauss = exp(-0.5 * t * t);
    if (p->delta * l > DEPTH) return exp(log_f(p, t)) / p->delta;
    double grown = p->delta > 0 ? expm1(p->delta * l) / p->delta : l;
    if (l > 0.7) return exp(log_fg(p, t)) * (grown - 1) + gauss;
    double u = p->q * expm1(x);
    return gauss * ((u > -0.5 ? 1 + u : exp(l)) * grown - u);
}

/* (A - 1)/(alpha - 1), every term positive */
static double small(const point *p) {
    double by_q2 = 0, rest = 0, last = (fmax(p->alpha, 2) / p->sigma + 10) / p->h;
    for (double j = floor(-10 / p->h); j <= last; j++) {
        double t = j * p->h, x = arg(p, t), v = expm1(x), u = p->q * v;
        if (x < 700 && fabs(u) * p->alpha < 0.5)
            by_q2 += exp(-0.5 * t * t) * v * v * tail(p->alpha, u);
        else
            rest += direct(p, t, x);
    }
    double scale = p->h / SQRT_2PI;
    return p->q * (p->q * (by_q2 * scale)) + rest * scale;
}

static double rdp(double q, double sigma, double alpha) {
    if (q == 0) return 0;
    if (isinf(alpha)) return INFINITY;
    if (q == 1) return alpha / (2 * sigma * sigma);
    point p = {q, sigma, alpha, alpha - 1, 0.5 / (sigma * sigma), (1 - q) / q, log(q), 0, step(sigma)};
    p.balance = balance(q, sigma, p.delta);
    double l = alpha > 1 ? log_a(&p) : 0;
    if (l > 0.3) return l / p.delta;
    double s = small(&p);
    return p.delta > 0 ? log1p(p.delta * s) / p.delta : s;
}

/* The text after "key": in a flat JSON object, or NULL */
static const char *field(const char *line, const char *key) {
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\"", key);
    const char *at = strstr(line, quoted);
    if (!at || !(at = strchr(at + strlen(quoted), ':'))) return NULL;
    for (at++; *at == ' '; at++) {}
    return at;
}

static double number(const char *line, const char *key) {
    const char *at = field(line, key);
    return at ? strtod(*at == '"' ? at + 1 : at, NULL) : NAN;
}

int main(void) {
    static char line[4096], id[256];
    while (fgets(line, sizeof line, stdin)) {
        const char *at = field(line, "id"), *what = field(line, "quantity");
        if (!at || sscanf(at, "\"%255[^\"]\"", id) != 1) {
            fprintf(stderr, "no id: %s", line);
            continue;
        }
        double q = number(line, "q"), sigma = number(line, "sigma"), alpha = number(line, "alpha");
        if (!what || strncmp(what, "\"rdp\"", 5))
            printf("{\"id\": \"%s\", \"error\": \"only rdp\"}\n", id);
        else if (!(q >= 0 && q <= 1 && sigma > 0 && alpha >= 1))
            printf("{\"id\": \"%s\", \"error\": \"need 0 <= q <= 1, sigma > 0, alpha >= 1\"}\n", id);
        else {
            double value = rdp(q, sigma, alpha);
            if (isfinite(value))
                printf("{\"id\": \"%s\", \"value\": %.17g}\n", id, value);
            else
                printf("{\"id\": \"%s\", \"value\": \"%s\"}\n", id, isnan(value) ? "nan" : "inf");
        }
        fflush(stdout);
    }
    return 0;
}
