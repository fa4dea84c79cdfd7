"""Spark predicts what one process predicts, also after an executor or a program was killed."""

import os
import sys
import unittest

import pyarrow as pa
from pfnamp import InputError, spark
from pyspark.sql import SparkSession
from pyspark.sql.functions import col

from python.engine_tests.jobs import OPTIONS, Engine, plain


class Spark(Engine, unittest.TestCase):
    @classmethod
    def start(cls) -> None:
        os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
        # Every worker says that it has a card with the number 3, which most tests leave alone.
        cards = cls.job.folder / "cards.sh"
        cards.write_text("""#!/bin/sh\necho '{"name": "gpu", "addresses": ["3"]}'\n""")
        cards.chmod(0o755)
        cls.session = (
            SparkSession.builder.master("local-cluster[2,1,1024]")
            .config("spark.ui.enabled", "false")
            .config("spark.worker.resource.gpu.amount", "1")
            .config("spark.worker.resource.gpu.discoveryScript", str(cards))
            .config("spark.executor.resource.gpu.amount", "1")
            .config("spark.task.resource.gpu.amount", "1")
            .config("spark.sql.execution.arrow.maxRecordsPerBatch", "500")
            .getOrCreate()
        )
        cls.session.sparkContext.setLogLevel("OFF")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.session.stop()

    def predicted(self, files: object, **options: object) -> pa.Table:
        rows = self.session.read.parquet(str(files)).repartition(20, col("id"))
        options = {"device": "cpu", **OPTIONS, **options}
        answers = spark.predict(rows, str(self.job.state), **options)
        return plain(answers.toArrow())

    def test_executor_killed(self) -> None:
        self.check_killing("CoarseGrainedExecutorBackend")

    def test_card_of_the_task(self) -> None:
        with self.assertRaisesRegex(Exception, "not usable for cuda"):
            self.predicted(self.job.rows, device=None)

    def test_wrong_options_are_told_before_the_job(self) -> None:
        with self.assertRaisesRegex(InputError, "--level 2"):
            self.predicted(self.job.rows, level=2)

    def test_no_rows(self) -> None:
        rows = self.session.read.parquet(str(self.job.rows)).limit(0)
        answers = spark.predict(rows, str(self.job.state), **OPTIONS)
        self.assertEqual(answers.count(), 0)
        self.assertEqual(answers.columns, self.job.want.column_names)
