"""python -m unittest scripts.export.tabicl.test_names"""

import unittest

from scripts.export.bundle.checkpoint import CheckpointError
from scripts.export.tabicl.names import class_count, dimensions, renamed

REGRESSOR = {"max_classes": 0, "row_rope_interleaved": False, "bias_free_ln": True}


class NamesTest(unittest.TestCase):
    def refused(self, words: str, **changes) -> None:
        with self.assertRaisesRegex(CheckpointError, f"^some.ckpt: .*{words}"):
            dimensions(REGRESSOR | changes, "some.ckpt")

    def test_dimensions(self) -> None:
        found = dimensions(REGRESSOR | {"embed_dim": 8, "num_quantiles": 19}, "some.ckpt")
        self.assertEqual((found["embed_dim"], found["quantiles"], found["classes"]), (8, 19, 0))
        self.assertEqual((found["icl_blocks"], found["norm_bias"]), (12, False))
        found = dimensions({"row_rope_interleaved": False, "num_quantiles": 0}, "some.ckpt")
        self.assertEqual((found["classes"], found["norm_bias"]), (10, True))
        self.assertNotIn("quantiles", found)
        self.assertEqual(class_count({}), 10)

    def test_refusals(self) -> None:
        self.refused("col_affine is True, the exporter supports False", col_affine=True)
        self.refused("row_rope_interleaved is True", row_rope_interleaved=True)
        self.refused("unknown settings, such as 'emsize'", emsize=192)
        self.refused("embed_dim is '8'", embed_dim="8")
        self.refused("embed_dim is 0", embed_dim=0)
        self.refused("ff_factor is True", ff_factor=True)
        self.refused("bias_free_ln is 1", bias_free_ln=1)
        for count in (1, -1, "10", 10**6, True, None):
            self.refused(f"max_classes is {count!r}", max_classes=count)
        with self.assertRaisesRegex(CheckpointError, "its configuration is a list"):
            dimensions([], "some.ckpt")

    def test_renamed(self) -> None:
        for theirs, ours in (
            ("col_embedder.in_linear.weight", "cell.weight"),
            ("row_interactor.cls_tokens", "cls"),
            ("icl_predictor.decoder.2.bias", "decoder.second.bias"),
            ("icl_predictor.tf_icl.blocks.11.norm1.weight", "icl.11.norm1.weight"),
            ("icl_predictor.tf_icl.blocks.3.attn.in_proj_bias", "icl.3.in_bias"),
            ("row_interactor.tf_row.blocks.0.linear2.bias", "rows.0.mlp.second.bias"),
            ("col_embedder.tf_col.blocks.2.ind_vectors", "columns.2.inducing"),
            (
                "col_embedder.tf_col.blocks.1.multihead_attn1.attn.ssmax_layer.query_mlp.2.weight",
                "columns.1.collect.ssmax.gate.second.weight",
            ),
            (
                "col_embedder.tf_col.blocks.1.multihead_attn2.attn.out_proj.bias",
                "columns.1.spread.out.bias",
            ),
            ("blocks.0.weight", ""),
            ("icl_predictor.tf_icl.blocks.0.norm3.weight", ""),
        ):
            self.assertEqual(renamed(theirs), ours)
