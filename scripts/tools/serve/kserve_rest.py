"""The REST client of KServe, JSON and binary, against the columns of predict."""

import asyncio
import sys
from pathlib import Path

from kserve import InferenceRESTClient, InferInput, InferRequest, RESTConfig

from scripts.tools.serve import tables


async def main(url: str, folder: Path) -> None:
    """Ask for both models."""
    client = InferenceRESTClient(RESTConfig(protocol="v2"))
    assert await client.is_server_live(url) and await client.is_server_ready(url)
    for model in ("price", "kind"):
        assert await client.is_model_ready(url, model)
        for binary in (False, True):
            inputs = []
            for name, values in tables.numpy_columns(folder / "test.csv").items():
                tensor = InferInput(name, list(values.shape), tables.DATATYPES[name])
                tensor.set_data_from_numpy(values, binary_data=binary)
                inputs.append(tensor)
            got = await client.infer(
                url, InferRequest(model, inputs, request_id="7"), model_name=model
            )
            assert got.id == "7"
            tables.expect(
                folder / f"{model}.csv", {o.name: o.as_numpy().tolist() for o in got.outputs}
            )
    await client.close()


asyncio.run(main(f"http://{sys.argv[1]}", Path(sys.argv[3])))
