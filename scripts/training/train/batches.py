"""Small batches of tables of the prior, split into context and query, and their losses."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from scripts.training.network.network import Output, TabICL, knot_levels
from scripts.training.network.surface import surface_loss
from scripts.training.prior.draw import Draw
from scripts.training.prior.late import lost_later
from scripts.training.prior.tables import sample_tables, sample_width
from scripts.training.train.pipeline import prepare

ROWS = {24: 0.3, 48: 0.5, 96: 0.7, 160: 1.0, 256: 1.0, 512: 1.5, 1024: 1.5, 2048: 0.2}
WIDTHS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20, 25, 32, 40, 50, 64, 80, 100)
LOST_LATER = 0.06  # share of the small batches whose queries lack cells that the context has
VALIDATION_SEED = 900_000_000
SUITES = {"few": ({32: 1, 64: 1}, 12), "usual": ({128: 1, 256: 2}, 32), "many": ({1024: 1}, 12)}


@dataclass
class Batch:
    """x [B,T,H] with NaN imputed, y [B,T] and truth [B,T,K+1] in network units.

    The first `rows` rows are the context; `family` [B] names the tables' functions.
    """

    x: Tensor
    y: Tensor
    truth: Tensor
    rows: int
    family: list[str]


def batch_seed(seed: int, number: int) -> int:
    """The seed of a batch of a run; a batch uses the ten seeds from there on."""
    return (seed * 10_000_000 + number) * 10


def moved(batch, device: torch.device):
    """A batch on a device."""
    tensors = {k: v.to(device) for k, v in vars(batch).items() if isinstance(v, Tensor)}
    return replace(batch, **tensors)


def pinball(q: Tensor, y: Tensor) -> Tensor:
    """Mean pinball loss of quantiles q [B,M,Q] for targets y [B,M]."""
    levels = knot_levels(q.shape[-1]).to(q.device)
    e = y.unsqueeze(-1) - q.float()
    return torch.maximum(levels * e, (levels - 1) * e).mean()


@dataclass(frozen=True)
class Source:
    """Where batches come from: about `cells` = rows x (features + 2) x tables each.

    At most `queries` rows of a table are query rows, if that is not 0: tables differ more
    than the rows of one, so that more tables teach more than more rows. A share `wide` of
    the tables has 10 to `widest` features. A batch has `least` to `most` tables; if `least` is more
    than one, widths are those of WIDTHS and context rows come in eights, so that shapes repeat.
    """

    cells: int = 8192
    queries: int = 0
    wide: float = 0.12
    widest: int = 50
    least: int = 1
    most: int = 32

    def shape(self, seed: int, rows: dict[int, float]) -> tuple[Draw, int, int, int, int]:
        """What drew it, and the numbers of tables, rows, features and context rows."""
        d = Draw(seed)
        t, h = d.pick(rows), sample_width(d, self.wide, self.widest)
        n = max(3, int(t * float(d.uniform(1, low=0.1, high=0.9))))
        if self.least > 1:
            h, n = min(WIDTHS, key=lambda w: abs(w - h)), min(max(8, round(n / 8) * 8), t - 2)
        t = min(t, n + self.queries) if self.queries else t
        return d, max(self.least, min(self.most, round(self.cells / (t * (h + 2))))), t, h, n

    def sometimes_lost(
        self, d: Draw, seed: int, x: Tensor, truth: Tensor, n: int
    ) -> tuple[Tensor, Tensor]:
        """x [B,T,H] and truth [B,T,*]; in a share LOST_LATER of the batches queries lose cells."""
        if not d.chance(LOST_LATER):
            return x, truth
        x, lost = lost_later(Draw(seed + 2), x, n)
        return x, truth.masked_fill(lost.unsqueeze(-1), torch.nan)

    def batch(self, seed: int, rows: dict[int, float] = ROWS) -> Batch:
        """Tables of one shape; their numbers of rows have the weights `rows`."""
        d, b, t, h, n = self.shape(seed, rows)
        group = min(4, max(1, b // 2))
        tables = sample_tables(seed + 1, b, t, h, group)
        powered = d.mask(0.5, b)
        truth = torch.cat((tables.quantiles, tables.mean.unsqueeze(-1)), dim=-1)
        x, truth = self.sometimes_lost(d, seed, tables.x, truth, n)
        return Batch(*prepare(x, tables.y, truth, n, powered), n, tables.family)


def losses(net: TabICL, batch: Batch) -> tuple[Tensor, Tensor]:
    """Loss of the target's quantiles and of the posterior surface."""
    n = batch.rows
    out: Output = net(batch.x, batch.y[:, :n])
    label = pinball(out.quantiles, batch.y[:, n:])
    if net.surface is None:
        return label, torch.zeros_like(label)
    return label, surface_loss(out.posterior, batch.truth[:, n:], net.surface.levels)


class Validation:
    """Fixed tables of a source, with few rows, an ordinary number, and many.

    `losses` is that of the source: the loss of the label and of what is learned beside it.
    """

    def __init__(self, source: Source, losses: Callable):
        self.loss, self.suites = losses, {}
        for i, (name, (rows, count)) in enumerate(SUITES.items()):
            first = VALIDATION_SEED + i * 10_000_000
            self.suites[name] = [source.batch(first + 10 * k, rows) for k in range(count)]

    def losses(self, net: TabICL, pool: ThreadPoolExecutor | None = None) -> list[float]:
        """Both losses of every suite, in the order of `columns`."""

        device = next(net.parameters()).device

        def one(batch) -> list[float]:
            with torch.no_grad():
                return [v.item() for v in self.loss(net, moved(batch, device))]

        found = []
        for batches in self.suites.values():
            parts = list(pool.map(one, batches) if pool else map(one, batches))
            found += [sum(column) / len(parts) for column in zip(*parts)]
        return found

    @staticmethod
    def columns(second: str) -> list[str]:
        return [f"{name}_{what}" for name in SUITES for what in ("label", second)]
