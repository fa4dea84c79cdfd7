"""From standardised columns to the cells that a Nori network reads."""

import torch
from synthefy_nori.model.encoders import MaskEmbEncoder
from torch import Tensor, nn

MOST = 9  # decimal exponents are kept between -9 and 9


class Cells(nn.Module):
    """The embedding of groups of columns.

    A number is m 10^e with 1 <= m < 10. The kernels read m. The exponent and the signs choose a
    gain and an offset for each kernel, one of 40 rows of a table.
    """

    def __init__(self, encoder: MaskEmbEncoder):
        super().__init__()
        rbf = encoder.numeric_mlp
        self.rbf_norm, self.rbf_out, self.fuse = rbf.norm, rbf.out_layer, encoder.fusion_network
        self.mask = nn.Parameter(encoder.mask_embedding.detach().clone(), requires_grad=False)
        powers = torch.arange(-MOST, MOST + 1, dtype=torch.float64)
        self.register_buffer("powers", 10.0**powers, persistent=False)
        self.register_buffer("centers", rbf.centers.clone(), persistent=False)
        self.register_buffer("spread", 2 * rbf.sigma.detach().clone() ** 2, persistent=False)
        gain, offset = gates(rbf)
        self.register_buffer("gain", gain, persistent=False)
        self.register_buffer("offset", offset, persistent=False)

    def forward(self, z: Tensor, present: Tensor, group: int) -> Tensor:
        """z [1, R, G*P] -> [1, R, G, E]; the value of an absent cell has no effect."""
        z = torch.where(present, z, 0.0)
        magnitude = z.abs().double()
        place = sum((magnitude >= power).long() for power in self.powers[1:])  # of 10^e in powers
        place = torch.where(magnitude > 0, place, MOST)
        scaled = (magnitude / self.powers[place]).float()
        away = scaled[..., None] - self.centers
        kernels = torch.exp(-(away * away) / self.spread)
        row = (z < 0).long() * 20 + (place < MOST).long() * 10 + (place - MOST).abs()
        kernels = self.rbf_norm(kernels * self.gain[row] + self.offset[row])
        cells = torch.where(present[..., None], self.rbf_out(kernels), self.mask)
        return self.fuse(cells.unflatten(2, (-1, group)).flatten(3))


@torch.no_grad()
def gates(rbf: nn.Module) -> tuple[Tensor, Tensor]:
    """Gain and offset [40, kernels] by sign of the number, sign of the exponent and its digit."""
    sign, minus, digit = torch.meshgrid(
        torch.arange(2), torch.arange(2), torch.arange(10), indexing="ij"
    )
    parts = (
        rbf.sign_embedding(sign.flatten()),
        rbf.exp_sign_embedding(minus.flatten()),
        rbf.exp_digit_embedding(digit.flatten()),
    )
    gain, offset = rbf.gate_mlp(torch.cat(parts, -1)).split(rbf.n_kernels, -1)
    return torch.sigmoid(gain), torch.tanh(offset)
