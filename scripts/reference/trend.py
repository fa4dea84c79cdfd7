"""Trends of the target, linear and by a kernel, and what they leave for the network to learn.

Of classes: predictions of their shares, which members read beside the features.

A member with a trend reads (r_i - shift) / scale, where r_i = y_i - f_{-i}(x_i) with the trend
f_{-i} learned without row i, and what the network says of it at a row x is brought back by
scale q + shift + f(x). f is a ridge regression whose penalty has the least generalised
cross-validation score (Golub, Heath & Wahba 1979) on a grid. It is learned on the features of
the pipeline "none" and the standardised target; that of a kernel on features whose inner
products are

    k(x, z) = Σ_j w_j x_j z_j + exp(a (Σ_j w_j m(|x_j - z_j|) - 1)),
    m(r) = (1 + √3 r/l) exp(-√3 r/l),

for at most 256 rows of the context exactly, and otherwise the kernel's projection on 256 of them
(Williams & Seeger 2001). The exponential of a sum of kernels of single columns has parts of
every order of interaction, the lower the larger, the more so the smaller a is; the length l is
that of the bends. The weights w of the columns have the sum one. They, and whether the columns
are turned before, follow from the slopes of first fits with l = 3 and a = 4, for which 128 of at
most 2,048 rows show the kernel, G = Σ over targets of mean_i ∇f(x_i) ∇f(x_i)' (Radhakrishnan et
al. 2024): the fit with equal weights gives w in proportion to the diagonal of G, once more from
the fit on these, or the eigenvectors of G as columns and its eigenvalues as their weights, twice
more. .02 of the largest weight is added to all. Turned columns are taken if they leave less than
.9 of what the others leave. Of four other pairs of l and a the one is taken that leaves the
least with these columns, if that is less than .99 of the former, and the columns then follow
once more from that fit.

Categories, and columns of few numbers, may be read as indicators of their levels (`Levels`): a line
with those that leave the least is taken if it leaves less than .95 of the line without, a kernel if
its first fit leaves less than .9.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import cholesky, solve_triangular

Array = np.ndarray
Basis = Callable[[Array], Array]  # features [N,H] -> [N,M]
PENALTIES = np.exp(np.log(1e-6) + np.arange(33) * (np.log(1e2 / 1e-6) / 32))  # times the rows
LEVEL_PENALTIES = PENALTIES[::2]
KERNEL_PENALTIES = PENALTIES[::4]
FIRST_PENALTIES = PENALTIES[::8]
MOST_FREEDOM = 0.9
LEAST_LEFT = 0.01
MIN_RESIDUAL = 1e-6
LAW_LEAVES = 0.01
TIE = 1e-9
TINY = 1e-300
CENTRES, FIRST_CENTRES, FIRST_ROWS, JITTER = 256, 128, 2048, 1e-6
LEAST_WEIGHT, APART = 0.02, 1e-6
STEPS, TURNS, TURN_GAIN, TURN_ROWS = 2, 3, 0.9, 10
SHAPE_GAIN = 0.99
FEWEST_LEVELS, LEVEL_ROWS, NUMBER_ROWS, ROWS_PER_LEVEL = 3, 2, 3, 2
LINE_LEVELS, KERNEL_LEVELS = 400, 64
LINE_GAIN, KERNEL_LEVEL_GAIN = 0.95, 0.9
REACH_SPAN, REACH_BENDS, REACH_BENT, REACH_ANY, LEAST_BENT = 0.3, 0.7, 5.0, 0.1, 0.05


def spaced(x: Array, most: int) -> Array:
    """At most so many rows, evenly spaced."""
    m = min(len(x), most)
    return x[np.arange(m) * len(x) // m]


@dataclass(frozen=True)
class Levels:
    """Values of columns that are read as indicators. The codes of categories that have levels,
    which are among the first `words` columns, are left out.
    """

    words: int = 0
    pairs: tuple[tuple[int, float], ...] = ()  # column and value

    @classmethod
    def of(cls, x: Array, words: int, numbers: bool, most: int) -> Levels:
        """Of features [N,H], at most so many: those of the most rows."""
        found = []
        for j, column in enumerate(x.T[: None if numbers else words]):
            values, counts = np.unique(column, return_counts=True)
            many = j >= words and NUMBER_ROWS * len(values) > len(x)
            if len(values) >= FEWEST_LEVELS and not many:
                found += [(n, j, v) for v, n in zip(values, counts)]
        least = LEVEL_ROWS
        while sum(n >= least for n, _, _ in found) > min(most, len(x) // ROWS_PER_LEVEL):
            least += 1
        return cls(words, tuple((j, v) for n, j, v in found if n >= least))

    @classmethod
    def choices(cls, x: Array, words: int, most: int) -> list[Levels]:
        """None, those of categories, and those of numbers too."""
        found = [cls.of(x, words, numbers, most) for numbers in (False, True)]
        return list(dict.fromkeys([cls(words), *found]))

    def kept(self, h: int) -> list[int]:
        coded = {j for j, _ in self.pairs if j < self.words}
        return [j for j in range(h) if j not in coded]

    def __call__(self, x: Array) -> Array:
        indicators = [(x[:, j] == v).astype(float) for j, v in self.pairs]
        return np.column_stack([x[:, self.kept(x.shape[1])], *indicators])


@dataclass(frozen=True)
class Shape:
    """The length l of the bends and the interaction a."""

    length: float
    interaction: float


USUAL = Shape(3.0, 4.0)
OTHERS = Shape(12.0, 8.0), Shape(6.0, 4.0), Shape(3.0, 8.0), Shape(1.0, 2.0)


@dataclass
class Columns:
    """Weights [H] of columns in the kernel, the axes [H,H] they are turned to, or None, its
    shape.
    """

    weights: Array
    axes: Array | None = None
    shape: Shape = USUAL

    @classmethod
    def of(cls, products: Array, turned: bool, shape: Shape) -> Columns:
        """From products [H,H] of slopes; what is added keeps axes of equal slopes apart."""
        size, axes = np.diag(products), None
        if turned:
            apart = APART * np.trace(products) * np.arange(1, len(products) + 1)
            size, axes = np.linalg.eigh(products + np.diag(apart))
        w = np.maximum(size, 0) + LEAST_WEIGHT * size.max() + TINY
        return cls(w / w.sum(), axes, shape)

    def __call__(self, x: Array) -> Array:
        return x if self.axes is None else x @ self.axes

    def own(self, a: Array) -> Array:
        """The kernel [M] of turned rows with themselves."""
        return (a**2) @ self.weights + 1

    def kernel(self, a: Array, b: Array) -> Array:
        """Its values [M,N] at turned rows a [M,H] and b [N,H]."""
        return (a * self.weights) @ b.T + self.curved(a, b)

    def curved(self, a: Array, b: Array) -> Array:
        """The part of the kernel that is not linear."""
        total, rate = np.zeros((len(a), len(b))), 3**0.5 / self.shape.length
        for weight, u, v in zip(self.weights, a.T, b.T):
            r = np.abs(u[:, None] - v) * rate
            total += weight * (1 + r) * np.exp(-r)
        return np.exp(self.shape.interaction * (total - 1))

    def slopes(self, x: Array, rows: Array, alpha: Array) -> Array:
        """[N,H] slopes of f(x) = Σ_m alpha_m k(x, rows_m) along the turned columns."""
        pull, out = self.curved(x, rows) * alpha, np.empty(x.shape)
        rate, steep = 3**0.5 / self.shape.length, 3 * self.shape.interaction / self.shape.length**2
        for j, (u, v) in enumerate(zip(x.T, rows.T)):
            d = u[:, None] - v
            bend = d * np.exp(-rate * np.abs(d))
            out[:, j] = self.weights[j] * (v @ alpha - steep * (pull * bend).sum(1))
        return out


class First:
    """A fit to targets of mean zero on few rows: what it leaves and its slopes."""

    def __init__(self, x: Array, targets: list[Array], columns: Columns):
        self.columns, self.x, self.targets = columns, x, targets
        self.basis = Kernel(spaced(x, FIRST_CENTRES), columns)
        ridge = Ridge.of(self.basis(x), FIRST_PENALTIES)
        fits = [ridge.fit(y, 1 / len(y)) for y in targets]
        self.slopes = [fit.slope for fit in fits]
        self.left = np.sqrt(sum(fit.left.var() for fit in fits))

    def products(self) -> Array:
        """[H,H] means of the products of slopes along the columns of x, of all targets."""
        x, total = self.columns(spaced(self.x, FIRST_CENTRES)), 0.0
        for slope in self.slopes:
            alpha = solve_triangular(self.basis.root, slope, lower=True, trans="T")
            g = self.columns.slopes(x, self.basis.rows, alpha)
            g = g if self.columns.axes is None else g @ self.columns.axes.T
            total = total + g.T @ g / len(g)
        return total

    def again(self, turned: bool) -> First:
        """With the columns that follow from these slopes."""
        return First(self.x, self.targets, Columns.of(self.products(), turned, self.columns.shape))


def suited_columns(x: Array, targets: list[Array]) -> tuple[Columns, float]:
    """The columns for targets of mean zero, and what a first fit leaves of these together."""
    if len(x) > FIRST_ROWS:
        few = [spaced(y, FIRST_ROWS) for y in targets]
        x, targets = spaced(x, FIRST_ROWS), [y - y.mean() for y in few]
    h = x.shape[1]
    best = turned = First(x, targets, Columns(np.full(h, 1 / h)))
    for _ in range(STEPS):
        best = best.again(False)
    if h > 1 and len(x) >= TURN_ROWS * h:
        for _ in range(TURNS):
            turned = turned.again(True)
        if turned.left < TURN_GAIN * best.left:
            best = turned
    fits = [First(x, targets, replace(best.columns, shape=shape)) for shape in OTHERS]
    other = min(fits, key=lambda fit: fit.left)
    if other.left < SHAPE_GAIN * best.left:
        again = other.again(other.columns.axes is not None)
        best = again if again.left < other.left else other
    return best.columns, best.left


def best_penalty(u: Array, s: Array, along: Array, y: Array, penalties: Array) -> float:
    """The best penalty that leaves enough degrees of freedom; without one it is infinite.

    Of equally good ones, as of two rows all are, it is the largest.
    """
    n, best = len(y), (np.inf, np.inf)
    for penalty in n * penalties[::-1]:
        shrink = s**2 / (s**2 + penalty)
        freedom = 1 + shrink.sum()
        if freedom < MOST_FREEDOM * n:
            rest = y - u @ (shrink * along)
            score = n * (rest @ rest) / (n - freedom) ** 2
            if score < (1 - TIE) * best[0]:
                best = score, penalty
    return best[1]


@dataclass
class Regression:
    """One of a target of mean zero on a ridge's features."""

    slope: Array
    left: Array  # residuals e of leaving one row out
    penalty: float = np.inf  # infinite if all slopes are zero
    noise: float = 0.0  # mean of e² (1 - h) with the leverages h


@dataclass
class Ridge:
    """Centred features, decomposed for regressions of several targets on them."""

    centre: Array
    u: Array
    s: Array
    vt: Array
    penalties: Array

    @classmethod
    def of(cls, x: Array, penalties: Array) -> Ridge:
        centre = x.mean(0)
        return cls(centre, *np.linalg.svd(x - centre, full_matrices=False), penalties)

    def fit(self, y: Array, leverage: float) -> Regression:
        """For a target of mean zero.

        The leverage of a row begins at the given number: 1/N if its mean is left out as well.
        """
        along = self.u.T @ y
        penalty = best_penalty(self.u, self.s, along, y, self.penalties)
        if np.isinf(penalty):
            return Regression(np.zeros(len(self.centre)), y)
        shrink = self.s**2 / (self.s**2 + penalty)
        slope = self.vt.T @ (shrink / np.maximum(self.s, 1e-12) * along)
        rest = np.maximum(1 - leverage - self.u**2 @ shrink, LEAST_LEFT)
        left = (y - self.u @ (shrink * along)) / rest
        return Regression(slope, left, penalty, (left**2 * rest).mean())


class Kernel:
    """Features [N,M] whose inner products are the kernel, as rows [M,H] show it."""

    def __init__(self, rows: Array, columns: Columns, levels: Levels = Levels()):
        self.levels, self.columns = levels, columns
        self.rows = self.read(rows)
        own = columns.kernel(self.rows, self.rows)
        self.root = cholesky(own + JITTER * np.eye(len(rows)), lower=True)

    def read(self, x: Array) -> Array:
        """Features with indicators, turned."""
        return self.columns(self.levels(x))

    def __call__(self, x: Array) -> Array:
        values = self.columns.kernel(self.rows, self.read(x))
        return solve_triangular(self.root, values, lower=True).T


def suited(x: Array, words: int, targets: list[Array]) -> tuple[Kernel, float]:
    """The kernel for targets of mean zero, and what a first fit leaves of these together."""
    found = []
    for levels in Levels.choices(x, words, KERNEL_LEVELS):
        columns, left = suited_columns(levels(x), targets)
        found.append((left, columns, levels))
    best = min(found[1:], key=lambda f: f[0], default=found[0])
    left, columns, levels = best if best[0] < KERNEL_LEVEL_GAIN * found[0][0] else found[0]
    return Kernel(spaced(x, CENTRES), columns, levels), left


def learned(
    kind: str, x: Array, words: int, targets: list[Array]
) -> list[tuple[Basis, Ridge, float]]:
    """The features of a trend, `linear` or `kernel`, of x [N,H], the regression on them, and what a
    first fit has left; of lines without levels and with all choices of these.
    """
    if kind == "linear":
        choices = Levels.choices(x, words, LINE_LEVELS)
        grids = [PENALTIES] + [LEVEL_PENALTIES] * (len(choices) - 1)
        return [(c, Ridge.of(c(x), grid), 0.0) for c, grid in zip(choices, grids)]
    basis, left = suited(x, words, targets)
    return [(basis, Ridge.of(basis(x), KERNEL_PENALTIES), left)]


@dataclass
class Trend:
    """f(x) + shift = (basis(x) - centre) slope + shift, and the scale of what it leaves.

    `first` is what a first fit has left, 0 of a linear trend; `doubt` that of a kernel's;
    `straight` the scale of the line without levels.
    """

    basis: Basis
    centre: Array
    slope: Array
    shift: float
    scale: float
    first: float
    doubt: Doubt | None = None
    straight: float = 0.0

    def at(self, x: Array) -> Array:
        return (self.basis(x) - self.centre) @ self.slope + self.shift


@dataclass
class Reach:
    """Where the context ends along a kernel's columns, and how much the target bends on the way.

    Beyond the range a trend flattens out over REACH_SPAN of what the context spans, and what is
    said there gets wider by the variance

        REACH_BENT bent (0.9 Σ_j w_j g(r_j) + 0.1 max_j g(r_j)),
        g(r) = 1 - exp(-2t) ((1+t)² + t²),  t = √3 r / REACH_BENDS,

    where r_j is the distance from the range of column j: g is the variance of a process with
    Matérn's kernel of the order 3/2 whose value and slope at the end of the range are known.
    """

    basis: Kernel
    low: Array
    high: Array
    bent: float

    @classmethod
    def of(cls, x: Array, kernel: Trend, line: Trend | None) -> Reach:
        """That of features [N,H] which kernel and line have read."""
        turned, left = kernel.basis.read(x), kernel.first
        straight = line.scale if line else 1.0
        bent = max(straight**2 - left**2, 0.0)
        bent += LEAST_BENT * max(1 - min(straight, left) ** 2, 0.0)
        return cls(kernel.basis, turned.min(0), turned.max(0), bent)

    def hold(self, x: Array) -> tuple[Array, Array, Array]:
        """Features [M,H] brought back towards the range, variances [M], the largest g [M].

        Categories stay as they are.
        """
        columns, kept = self.basis.columns, self.basis.levels.kept(x.shape[1])
        turned = self.basis.read(x)
        end = np.clip(turned, self.low, self.high)
        gap = np.abs(turned - end)
        span = np.maximum(REACH_SPAN * (self.high - self.low), TINY)
        held = end + np.sign(turned - end) * -span * np.expm1(-gap / span)
        if columns.axes is not None:
            held = held @ columns.axes.T
        back = x.copy()
        back[:, kept] = held[:, : len(kept)]
        held = np.where((gap > 0).any(1, keepdims=True), back, x)
        t = 3**0.5 * gap / REACH_BENDS
        g = 1 - np.exp(-2 * t) * ((1 + t) ** 2 + t**2)
        total, most = g @ columns.weights, g.max(1)
        return held, REACH_BENT * self.bent * ((1 - REACH_ANY) * total + REACH_ANY * most), most


@dataclass
class Doubt:
    """How far f of a kernel may be off, as that of a Gaussian process is (Rasmussen & Williams
    2006).

    With the penalty λ and the variance σ² of the noise, its prior variance is σ²/λ k(x, x), and its
    posterior variance at a row with kernel values k at the M centres, every one of which stands for
    N/M rows of the context,

        σ²/λ (k(x, x) - k' (K + λ M/N)⁻¹ k).

    σ² is the mean of e² (1 - h), where e are the residuals of leaving one row out, with leverages
    h.
    """

    basis: Kernel
    ratio: float  # σ²/λ
    root: Array  # Cholesky factor of K + λ M/N

    @classmethod
    def of(cls, basis: Kernel, fit: Regression) -> Doubt | None:
        if np.isinf(fit.penalty):
            return None
        rows = basis.rows
        shared = fit.penalty * len(rows) / len(fit.left)
        gram = basis.columns.kernel(rows, rows) + shared * np.eye(len(rows))
        return cls(basis, fit.noise / fit.penalty, cholesky(gram, lower=True))

    def at(self, x: Array) -> Array:
        """Variances [M] at features x [M,H]."""
        turned = self.basis.read(x)
        values = self.basis.columns.kernel(self.basis.rows, turned)
        known = (solve_triangular(self.root, values, lower=True) ** 2).sum(0)
        return self.ratio * np.maximum(self.basis.columns.own(turned) - known, 0.0)


def is_law(x: Array, y: Array) -> bool:
    """Whether a line on features [N,H] leaves nearly nothing of a standardised target."""
    return fit_trend("linear", x, y)[0].straight < LAW_LEAVES


def fit_trend(kind: str, x: Array, y: Array, words: int = 0) -> tuple[Trend, Array]:
    """From features [N,H], of which the first are codes of categories, and a standardised target:
    the trend, and what members read. A line has levels where these leave less, unless it is a law.
    """
    first, *others = (one_trend(kind, *parts, y) for parts in learned(kind, x, words, [y]))
    straight = first[0].straight = first[0].scale
    best = min(others, key=lambda fit: fit[0].scale, default=first)
    if straight < LAW_LEAVES or not best[0].scale < LINE_GAIN * straight:
        return first
    best[0].straight = straight
    return best


def one_trend(kind: str, basis: Basis, ridge: Ridge, first: float, y: Array) -> tuple[Trend, Array]:
    """One choice of a trend."""
    fit = ridge.fit(y, 1 / len(y))
    left, scale = fit.left, max(fit.left.std(), MIN_RESIDUAL)
    doubt = Doubt.of(basis, fit) if kind == "kernel" else None
    trend = Trend(basis, ridge.centre, fit.slope, left.mean(), scale, first, doubt)
    return trend, ((left - trend.shift) / trend.scale).astype(np.float32)


def share_columns(
    kind: str, x: Array, y: Array, queries: Array, words: int = 0
) -> tuple[Array, Array, float]:
    """Predictions of the classes' shares, for context rows [N,K] and queries [M,K], and the sum of
    the squares of what they leave of the context rows. The first features are codes of categories.

    Of two classes there is that of the second alone. A context row's has slopes learned without
    the row, and the mean of all rows: one without the row would tell the row's class.
    """
    count = int(y.max()) + 1
    means = [(y == k).mean() for k in range(count)[1 if count == 2 else 0 :]]
    targets = [(y == k + (count == 2)) - mean for k, mean in enumerate(means)]
    choices = learned(kind, x, words, targets)
    first, *others = (shares(*parts[:2], means, targets, queries) for parts in choices)
    best = min(others, key=lambda found: found[2], default=first)
    return best if best[2] < LINE_GAIN**2 * first[2] else first


def shares(
    basis: Basis, ridge: Ridge, means: list[float], targets: list[Array], queries: Array
) -> tuple[Array, Array, float]:
    """One choice of shares."""
    at, columns, left = basis(queries), [], 0.0
    for mean, centred in zip(means, targets):
        fit = ridge.fit(centred, 0.0)
        columns.append((mean + centred - fit.left, mean + (at - ridge.centre) @ fit.slope))
        left += fit.left @ fit.left
    return *(np.stack(part, axis=1) for part in zip(*columns)), left
