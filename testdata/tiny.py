"""Make testdata/tiny, tiny-surface, tiny-classes and tiny-many: bundles of very small networks with
random weights, for tests.

    python -m testdata.tiny
    python -m testdata.tiny tiny-many

The last one has three outputs, for trees of few classes.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import torch

from scripts.training.network.network import TabICL

HERE = Path(__file__).resolve().parent

CONFIG = {
    "embed_dim": 8,
    "num_cls": 1,
    "col_blocks": 1,
    "col_heads": 2,
    "inducing": 2,
    "row_blocks": 1,
    "row_heads": 2,
    "icl_blocks": 1,
    "icl_heads": 2,
}

SURFACE = {
    "levels": [0.1, 0.5, 0.9],
    "posterior_levels": [0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99],
    "rank": 3,
}

POSTERIOR = {"posterior_levels": [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99], "rank": 3}

NETWORKS = {
    "tiny": {"quantiles": 9},
    "tiny-surface": {"quantiles": 9, "surface": SURFACE},
    "tiny-classes": {"classes": 5, "class_posterior": POSTERIOR},
    "tiny-many": {"classes": 3, "class_posterior": POSTERIOR},
}


def random_network(changes: dict) -> TabICL:
    """A network whose output depends on everything: no weight is zero."""
    torch.manual_seed(5)
    net = TabICL(CONFIG | changes)
    with torch.no_grad():
        for weight in net.parameters():
            if weight.dim() > 1 and not weight.any():
                weight.normal_(0, 0.3)
    return net


def make(name: str, changes: dict) -> None:
    """Write the bundle of a network."""
    net = random_network(changes)
    weights = {name: value.half() for name, value in net.state_dict().items()}
    with tempfile.TemporaryDirectory() as folder:
        checkpoint, licence = Path(folder) / "tiny.pt", Path(folder) / "LICENSE"
        torch.save({"config": net.config, "weights": weights}, checkpoint)
        licence.write_text("Random numbers, under the licence of the repository: Apache-2.0.\n")
        command = [sys.executable, "-m", "scripts.export_onnx", "--family", "tabicl"]
        command += ["--checkpoint", checkpoint, "--out", HERE / name, "--licence", licence]
        command += ["--name", name, "--version", "1", "--members", "3"]
        command += ["--description", "Random weights, for tests only."]
        command += ["--weights", "random numbers of testdata/tiny.py"]
        command += ["--max-classes", "1000"] if name == "tiny-many" else []
        command += ["--surface-scale", "0.8"] if name == "tiny-surface" else []
        subprocess.run(command, check=True)


def main() -> None:
    for name in sys.argv[1:] or NETWORKS:
        make(name, NETWORKS[name])


if __name__ == "__main__":
    main()
