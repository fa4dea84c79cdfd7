"""The REST client of KServe, in binary and not, against the columns of predict."""

import asyncio
import sys
from pathlib import Path

from kserve import (
    InferenceRESTClient,
    InferInput,
    InferRequest,
    RESTConfig,
)

from scripts.tools.serve import tables


async def main(address: str, folder: Path) -> None:
    client = InferenceRESTClient(RESTConfig(protocol="v2"))
    assert await client.is_server_live(address) and await client.is_server_ready(address)
    for model in ("price", "kind"):
        assert await client.is_model_ready(address, model)
        for binary in (True, False):
            inputs = []
            for name, values in tables.columns(folder / "test.csv").items():
                tensor = InferInput(name, list(values.shape), tables.DATATYPES[name])
                tensor.set_data_from_numpy(values, binary_data=binary)
                inputs.append(tensor)
            asked = InferRequest(model, inputs, request_id="7")
            got = await client.infer(address, asked, model_name=model)
            assert got.id == "7"
            tables.expect(
                folder / f"{model}.csv", {o.name: o.as_numpy().tolist() for o in got.outputs}
            )
    await client.close()


asyncio.run(main(f"http://{sys.argv[1]}", Path(sys.argv[2])))
