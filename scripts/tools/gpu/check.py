"""Check the program on a card and write what was found as a page of Markdown.

    python -m scripts.tools.gpu.check --program build/bin/pfnamp --device cuda --folder build/gpu \\
        --page docs/evidence/gpu.md --seconds 150

check.sh brings what it needs. The page is written anew after every part, so nothing is lost where
a later one fails or the time is over. The exit status is 1 if a golden vector differs, an answer
is too far from the CPU's, or a node of the loop runs on the processor.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from scripts.tools.gpu import program as programs
from scripts.tools.gpu.agree import answers, golden, placement, provenance
from scripts.tools.gpu.program import Late, Program
from scripts.tools.gpu.rates import Job, by_batch, first_row, full_memory, two_at_once, whole_job


@dataclass
class Page:
    """What was found, part by part; `sound` tells whether all is as it should be."""

    path: Path
    device: str
    only: str = ""
    parts: list[str] = field(default_factory=list)
    sound: bool = True

    def add(self, title: str, why: str, find: Callable[[], tuple[str, bool]]) -> None:
        """Carry out a part that is wanted and write it down; what cannot be found is said."""
        if not re.search(self.only, title):
            return
        began = time.monotonic()
        try:
            text, sound = find()
        except Late:
            text, sound = "Left out: the time of the check was over.", True
        except Exception as err:  # a part that fails must not take the others along
            text, sound = f"**Failed**: {err}".replace("\n", " "), False
        self.sound = self.sound and sound
        verdict = "" if sound else "**Not as it should be.** "
        took = time.monotonic() - began
        head = [f"## {title}", (verdict + why).strip(), text]
        self.parts.append("\n\n".join(filter(None, head)) + "\n")
        print(f"gpu-check: {title}: {took:.1f} s{'' if sound else ': NOT SOUND'}", file=sys.stderr)
        self.write()

    def write(self) -> None:
        card = self.device != "cpu"
        title = "On a graphics card" if card else "A rehearsal on the CPU, without a card"
        head = f"# {title}\n\nWritten by `make gpu-check DEVICE={self.device}`.\n"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text("\n".join([head, *self.parts]))


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__)
    for name in ("program", "device", "folder", "page"):
        p.add_argument("--" + name, required=True)
    p.add_argument("--seconds", type=float, default=1800.0, help="for all parts")
    p.add_argument("--only", default="", help="pattern of the titles of parts")
    o = p.parse_args()
    programs.DEADLINE[0] = time.monotonic() + o.seconds
    folder, program = Path(o.folder), Program(o.program, o.device)
    page, cpu = Page(Path(o.page), o.device, o.only), o.device == "cpu"
    own = Job(program, folder, "default", 3, 500, 8, 2048 if cpu else 65_536)
    full = Job(program, folder, "full", *((2, 200, 5, 256) if cpu else (8, 2000, 20, 16_384)))
    page.add("Machine", "", lambda: provenance(program))
    page.add(
        "Golden vectors",
        f"What the exporter recorded, beside the same on `{o.device}`.",
        lambda: golden(program, folder),
    )
    page.add(
        "Agreement with the CPU",
        "Largest difference of any row, in standard deviations of the target, of probabilities as "
        "they are; float32, without TF32. The gate is 1e-4.",
        lambda: answers(program, folder, full),
    )
    page.add(
        "Nodes on the processor",
        "Nodes that compute shapes belong there, and what they found is copied to the card "
        "(MemcpyFromHost). MemcpyToHost is an error: the card would wait.",
        lambda: placement(program, [own, full]),
    )
    page.add(
        "Time to the first row",
        "A whole process, from a saved state to one row in a file.",
        lambda: first_row([own, full]),
    )
    page.add("Rows per second, embedded network", own.about(), lambda: by_batch(own))
    page.add(
        "A whole job",
        "A Parquet file from a saved state to a Parquet file. The card's share is its use as "
        "nvidia-smi samples it.",
        lambda: whole_job(own),
    )
    page.add(
        "When memory ends",
        "Another process holds all memory of the card but 3 GB.",
        lambda: full_memory(full),
    )
    page.add("Rows per second, official size", full.about(), lambda: by_batch(full))
    page.add(
        "Two processes on one card",
        "The same job twice at once.",
        lambda: two_at_once(own),
    )
    print(f"gpu-check: {o.page}")
    if not page.sound:
        raise SystemExit("gpu-check: something is not as it should be, see the page")


if __name__ == "__main__":
    main()
