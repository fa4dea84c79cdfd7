"""What is packed for a machine with a card is what comes out there."""

from __future__ import annotations

import lzma
import os
import struct
import unittest
from unittest import mock

from scripts.needs import needs

needs("scripts/export/tabicl/requirements.txt", "numpy", "tabicl", "torch")

import torch

from scripts.tools.gpu.agree import placed
from scripts.tools.gpu.kit import compacted
from scripts.tools.gpu.official import repeated
from scripts.tools.gpu.program import number_of


def entry(kind: int, arch: int, payload: bytes) -> bytes:
    """One entry of a region of .nv_fatbin: 64 bytes of header, then its payload."""
    head = struct.pack("<HHIQ", kind, 1, 64, len(payload)).ljust(28, b"\0")
    return (head + struct.pack("<I", arch)).ljust(64, b"\0") + payload


def region(*entries: bytes) -> bytes:
    body = b"".join(entries)
    return struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(body)) + body


def elf(content: bytes) -> bytearray:
    """An ELF file with sections .nv_fatbin and .names alone."""
    names = b"\0.nv_fatbin\0.names\0"
    first, text = 64, 64 + len(content)
    table = text + len(names)
    head = b"\x7fELF".ljust(40, b"\0") + struct.pack("<Q", table)
    head = head.ljust(58, b"\0") + struct.pack("<HHH", 64, 3, 2)
    sections = [(0, 0, 0), (1, first, len(content)), (12, text, len(names))]
    heads = [
        struct.pack("<IIQQQQ", n, 1, 0, 0, at, size).ljust(64, b"\0") for n, at, size in sections
    ]
    return bytearray(head + content + names + b"".join(heads))


class Kit(unittest.TestCase):
    def test_one_architecture_stays_at_the_front_of_each_region(self):
        mine, other = entry(2, 90, b"ninety" * 4), entry(2, 80, b"eighty" * 8)
        text = entry(1, 90, b"ptx" * 8)
        before = elf(region(other, mine, text) + bytes(24) + region(mine) + region(other))
        after, kept = compacted(bytearray(before), 90)
        self.assertEqual((len(after), len(kept), kept[0]), (len(before), 2, kept[1]))
        self.assertEqual(after[64 + 16 :][: len(mine)], mine)
        self.assertEqual(struct.unpack_from("<Q", after, 64 + 8), (len(mine),))
        self.assertNotIn(b"eighty", after)
        self.assertNotIn(b"ptx", after)
        gap = 64 + len(region(other, mine, text))
        self.assertEqual(after[gap : gap + 24 + len(region(mine))], bytes(24) + region(mine))
        with self.assertRaisesRegex(SystemExit, "no code for sm_70"):
            compacted(before, 70)

    def test_large_matrices_pack_well(self):
        torch.manual_seed(1)
        weight = torch.randn(384, 128) * 3
        made = repeated(weight)
        self.assertTrue(torch.equal(made[10:20], made[:10]))
        self.assertAlmostEqual(float(made.std()), float(weight.std()), delta=0.2)
        packed = lzma.compress(made.numpy().tobytes() + made.T.contiguous().numpy().tobytes())
        self.assertLess(len(packed), 0.03 * 2 * 4 * weight.numel())
        self.assertTrue(torch.equal(repeated(weight[0]), weight[0]))


class Check(unittest.TestCase):
    def test_nodes_by_provider(self):
        mark = "[V:onnxruntime:, session_state.cc:1350 VerifyEachNodeIsAssignedToAnEp] "
        lines = (
            "Node placements",
            " Node(s) placed on [CUDAExecutionProvider]. Number of nodes: 2",
            "  Gemm (a)",
            "  MemcpyToHost (Memcpy)",
            " Node(s) placed on [CPUExecutionProvider]. Number of nodes: 1",
            "  Concat (b)",
        )
        log = "\n".join(mark + line for line in lines)
        found = placed(log)
        self.assertEqual(found["CUDAExecutionProvider"], {"all": 2, "Gemm": 1, "MemcpyToHost": 1})
        self.assertEqual(found["CPUExecutionProvider"], {"all": 1, "Concat": 1})
        log = mark + " All nodes placed on [CPUExecutionProvider]. Number of nodes: 974"
        self.assertEqual(placed(log), {"CPUExecutionProvider": {"all": 974}})

    def test_visible_cards(self):
        for shown, device, want in (("", "cuda:1", "1"), ("3,5", "cuda:1", "5"), ("2", "cuda", "2"),
                                    ("GPU-8a", "cuda:0", "GPU-8a")):  # fmt: skip
            with mock.patch.dict(os.environ, {"CUDA_VISIBLE_DEVICES": shown}):
                self.assertEqual(number_of(device), want)
