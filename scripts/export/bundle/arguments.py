"""The options that the exporters of all families have."""

import argparse

TEXTS = {
    "name": "of the bundle",
    "version": "of the weights",
    "description": "one sentence",
    "weights": "where they come from, in words",
    "licence": "licence text, a file",
    "spdx": "its SPDX identifier",
    "notice": "attribution to print",
}
COUNTS = {
    "members": "ensemble members",
    "max_rows": "most context rows",
    "max_features": "most features",
}


def parser(family: str, doc: str, said: dict[str, str], **defaults) -> argparse.ArgumentParser:
    """What every exporter asks; said: what options are by default, in words."""
    p = argparse.ArgumentParser(
        prog=f"export_onnx --family {family}",
        description=doc,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    p.add_argument("--out", required=True, help="folder of the bundle")
    for name, words in (TEXTS | COUNTS).items():
        more = said.get(name, "%(default)s" if name in defaults else "")
        p.add_argument(
            "--" + name.replace("_", "-"),
            type=int if name in COUNTS else str,
            default=defaults.get(name),
            help=f"{words} (default: {more})" if more else words,
        )
    return p


def of_package(p: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """What exporters ask too whose golden vectors come from a package."""
    p.add_argument("--cases", type=int, default=4, help="golden cases (default 4)")
    p.add_argument("--half", action="store_true", help="round the weights to float16")
    p.add_argument("--no-fingerprint", action="store_true", help="no member reads a hash column")
    return p
