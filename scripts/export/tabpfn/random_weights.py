"""Random weights that make predictions which look like predictions.

A freshly initialised network is an identity stack, because the last weight of every
sub-layer is zero: those weights are perturbed, and attention is sharpened so that
rows stay different through all layers. The decoder starts from the mass that a
standard normal distribution has in each bar and varies smoothly from bar to bar.
"""

import argparse
import math

import torch
from torch import nn

NOISE = 0.1  # deviation of the weights that are initialised with zero
SHARPNESS = 1.5  # factor of queries and keys
ROW_ATTENTION = 0.3  # factor of what rows receive from other rows
WAVES = 8  # cosines over the bars in the decoder's last weight
CLASSES = 10  # of classifiers
CONTRAST = 4.0  # factor of the last weights of classes
REACH = 100.0  # outermost borders, in standardised units


def borders(bars: int) -> torch.Tensor:
    """Borders whose spacing grows from the centre to the ends at -100 and 100."""
    u = torch.linspace(-1, 1, bars + 1, dtype=torch.float64)
    values = REACH * torch.sinh(7 * u) / math.sinh(7)
    values[1:-1] += 0.2 * (values[2:] - values[1:-1]) * torch.rand(bars - 1, dtype=torch.float64)
    return values.float()


def perturb_zeros(net: nn.Module) -> None:
    """Give every weight a part in the result."""
    for parameter in net.parameters():
        if not parameter.any():
            parameter += NOISE * torch.randn_like(parameter)


def sharpen(net: nn.Module) -> None:
    """`perturb_zeros`, sharper attention, and norms whose weights differ."""
    perturb_zeros(net)
    for name, module in net.named_modules():
        if name.endswith(("q_projection", "k_projection")):
            module.weight *= SHARPNESS
        if isinstance(module, nn.RMSNorm) and module.weight is not None:
            module.weight *= 1 + NOISE * torch.randn_like(module.weight)


def shape_decoder(last: nn.Linear, edges: torch.Tensor | None) -> None:
    """Weights of the decoder's last layer, for bars between such borders or for classes."""
    if edges is None:
        last.weight *= CONTRAST
        return
    cdf = torch.special.ndtr(edges.double())
    mass = (cdf[1:] - cdf[:-1]).clamp(min=1e-12)
    last.bias.copy_(mass.log().clamp(min=-14))
    middle = (cdf[:-1] + mass / 2).float()
    waves = torch.cos(math.pi * middle[:, None] * torch.arange(WAVES))
    last.weight.copy_(waves @ torch.randn(WAVES, last.weight.shape[1]) / WAVES)


def options(doc: str, sizes: dict) -> argparse.ArgumentParser:
    """The command line of a script that writes such a checkpoint."""
    p = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("target", help="file to write")
    p.add_argument("--task", choices=("regression", "classification"), default="regression")
    p.add_argument("--size", choices=sorted(sizes), default="tiny")
    p.add_argument("--seed", type=int, default=1)
    return p
