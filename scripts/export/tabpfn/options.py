"""Export a TabPFN network as a model bundle: a regressor or a classifier.

Needs the packages of scripts/export/tabpfn/v2/requirements.txt for v2,
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

import argparse

from scripts.export.bundle.arguments import of_package, parser

PACKAGES = (
    "scripts/export/tabpfn/v2/requirements.txt",
    "scripts/export/tabpfn/v2_5/requirements.txt for v2.5 to v3",
    "scripts/export/tabpfn/v3_5/requirements.txt for v3.5",
)
TASKS = ("regression", "classification")


def parse_options(arguments: list[str]) -> argparse.Namespace:
    said = {
        "name": "by the version",
        "version": "that of the network",
        "weights": "format and sha256",
        "members": "8, of a classifier of v2 4",
        "max_rows": "the package's",
        "max_features": "the package's",
        "licence": "the package's, or where to find it",
    }
    p = of_package(parser("tabpfn", __doc__, said))
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
    p.add_argument("--accept-licence", action="store_true", help="of weights that ask for it")
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
    p.add_argument(
        "--groups",
        type=int,
        help="most feature groups, of v3 columns of a member (default 1024, of v3 4096)",
    )
    return p.parse_args(arguments)
