"""Export a TabPFN network as a model bundle: a regressor or a classifier.

Needs the packages of scripts/export/tabpfn/v2/requirements.txt for v2, those of
those of v2_5 for v2.5 to v3 and those of v3_5 for v3.5. The bundle is a folder with
`context.onnx` (labelled rows to keys and values), `query.onnx` (query rows to logits),
`borders.f32` of a regressor, `manifest.json`, `golden.json` and the licence. Tables (v2 alone),
rows, queries and features are dynamic in both graphs. They are compared with the
package's own network at shapes that differ from the traced ones; a bundle that
disagrees is not written. Without --checkpoint the package of v2 looks for its own
file, or downloads it; otherwise nothing is downloaded.

The weights of v2.5 and newer are under non-commercial licences: --accept-licence
says that you have read and accepted the one of the file.
"""

from __future__ import annotations

import argparse

PACKAGES = (
    "scripts/export/tabpfn/v2/requirements.txt",
    "scripts/export/tabpfn/v2_5/requirements.txt for v2.5 to v3",
    "scripts/export/tabpfn/v3_5/requirements.txt for v3.5",
)
TASKS = ("regression", "classification")


def parse_options(arguments: list[str]) -> argparse.Namespace:
    p = argparse.ArgumentParser(
        prog="export_onnx --family tabpfn",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument(
        "--checkpoint",
        help="checkpoint, .ckpt (default: the one that the tabpfn package downloads for --task)",
    )
    p.add_argument(
        "--task", choices=TASKS, default="regression", help="without --checkpoint, and of v3.5"
    )
    p.add_argument(
        "--without",
        action="append",
        default=[],
        choices=("TRANSFORM_DATES", "TRANSFORM_TEXT"),
        help="export although the checkpoint asks for this step, which pfnamp does not have",
    )
    p.add_argument("--out", required=True, help="folder of the bundle")
    p.add_argument("--joint", action="store_true", help="write joint.onnx too, for other programs")
    p.add_argument("--accept-licence", action="store_true", help="of weights that ask for it")
    p.add_argument("--name", help="of the bundle (default: by the version)")
    p.add_argument("--version", help="of the weights (default: that of the network)")
    p.add_argument("--description", help="one sentence")
    p.add_argument("--weights", help="where they come from (default: format and sha256)")
    p.add_argument(
        "--members", type=int, help="ensemble members (default 8, of a classifier of v2 4)"
    )
    p.add_argument(
        "--temperature", type=float, help="of the softmax (default: the checkpoint's, else 0.9)"
    )
    p.add_argument(
        "--cdf", choices=("2.0.5", "fixed"), help="border translation (default: the package's)"
    )
    p.add_argument("--tails", choices=("compat", "full-support"), default="compat")
    p.add_argument(
        "--average-logits", action="store_true", help="of classes, rather than probabilities"
    )
    p.add_argument(
        "--balance", action="store_true", help="divide the probabilities of classes by their shares"
    )
    p.add_argument("--no-fingerprint", action="store_true", help="no hash column by default")
    p.add_argument(
        "--groups",
        type=int,
        help="most feature groups, of v3 columns of a member (default 1024, of v3 4096)",
    )
    p.add_argument("--max-rows", type=int, help="most context rows (default: the package's)")
    p.add_argument("--max-features", type=int, help="most features (default: the package's)")
    p.add_argument("--cases", type=int, default=4, help="golden cases (default 4)")
    p.add_argument("--half", action="store_true", help="round the weights to float16")
    p.add_argument("--licence", help="licence text (default: the package's, or where to find it)")
    p.add_argument("--spdx", help="its SPDX identifier")
    p.add_argument("--notice", help="attribution to print")
    return p.parse_args(arguments)
