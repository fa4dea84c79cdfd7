"""Muon: momentum updates of weight matrices, orthogonalised.

Every matrix update is replaced by an approximately orthogonal matrix with the
same row and column spaces (Newton-Schulz iteration; K. Jordan and others,
2024) and scaled to the size of an AdamW update. Equal shapes go through the
iteration together.
"""

from __future__ import annotations

import math
from collections import defaultdict

import torch
from torch import Tensor

COEFFICIENTS = (3.4445, -4.7750, 2.0315)


def orthogonalised(g: Tensor, steps: int = 5) -> Tensor:
    """[K,R,C] with R <= C: push every singular value towards one."""
    a, b, c = COEFFICIENTS
    x = g / (g.flatten(1).norm(dim=1).view(-1, 1, 1) + 1e-7)
    for _ in range(steps):
        s = x @ x.transpose(1, 2)
        x = a * x + (b * s + c * (s @ s)) @ x
    return x


class Muon(torch.optim.Optimizer):
    """Muon for 2-D parameters; a [3D,D] projection counts as three matrices."""

    def __init__(self, params, lr: float, momentum: float = 0.95, weight_decay: float = 0.01):
        super().__init__(params, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    def direction(self, p: Tensor, momentum: float) -> Tensor:
        """Nesterov momentum of one parameter as [K,R,C] with R <= C."""
        state = self.state[p]
        if "average" not in state:
            state["average"] = torch.zeros_like(p)
        average = state["average"].lerp_(p.grad, 1 - momentum)
        g = p.grad.lerp(average, momentum)
        rows, columns = g.shape
        if rows == 3 * columns:
            return g.view(3, columns, columns)
        return (g if rows <= columns else g.t()).unsqueeze(0)

    @torch.no_grad()
    def step(self) -> None:
        for group in self.param_groups:
            shapes = defaultdict(list)
            for p in group["params"]:
                g = self.direction(p, group["momentum"])
                shapes[g.shape[1:]].append((p, g))
            for (_, columns), members in shapes.items():
                updates = orthogonalised(torch.cat([g for _, g in members]))
                updates *= 0.2 * math.sqrt(columns)
                parts = updates.split([len(g) for _, g in members])
                for (p, _), update in zip(members, parts):
                    p.mul_(1 - group["lr"] * group["weight_decay"])
                    if len(update) == 1 and p.shape[0] > p.shape[1]:
                        update = update.transpose(1, 2)
                    p.add_(update.reshape(p.shape), alpha=-group["lr"])
