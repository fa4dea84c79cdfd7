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

    def directions(self, params: list[Tensor], momentum: float) -> list[Tensor]:
        """Nesterov momentum of every parameter as [K,R,C] with R <= C."""
        for p in params:
            if not self.state[p]:
                self.state[p]["average"] = torch.zeros_like(p)
        averages, gradients = [self.state[p]["average"] for p in params], [p.grad for p in params]
        torch._foreach_lerp_(averages, gradients, 1 - momentum)
        found = []
        for g in torch._foreach_lerp(gradients, averages, momentum):
            rows, columns = g.shape
            if rows == 3 * columns:
                found.append(g.view(3, columns, columns))
            else:
                found.append((g if rows <= columns else g.t()).unsqueeze(0))
        return found

    @torch.no_grad()
    def step(self) -> None:
        for group in self.param_groups:
            params, shapes = group["params"], defaultdict(list)
            for i, g in enumerate(self.directions(params, group["momentum"])):
                shapes[g.shape[1:]].append((i, g))
            updates = [torch.empty(0)] * len(params)
            for (_, columns), members in shapes.items():
                found = orthogonalised(torch.cat([g for _, g in members]))
                found *= 0.2 * math.sqrt(columns)
                for (i, _), update in zip(members, found.split([len(g) for _, g in members])):
                    if len(update) == 1 and params[i].shape[0] > params[i].shape[1]:
                        update = update.transpose(1, 2)
                    updates[i] = update.reshape(params[i].shape)
            torch._foreach_mul_(params, 1 - group["lr"] * group["weight_decay"])
            torch._foreach_add_(params, updates, alpha=-group["lr"])
