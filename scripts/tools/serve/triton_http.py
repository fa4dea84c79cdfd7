"""tritonclient over HTTP: binary and JSON, compressed or not, against the columns of predict."""

import sys
from pathlib import Path

import numpy as np
import tritonclient.http as triton

from scripts.tools.serve import tables

address, folder = sys.argv[1], Path(sys.argv[3])
client = triton.InferenceServerClient(address)
assert client.is_server_live() and client.is_server_ready()
assert client.get_server_metadata()["name"] == "pfnamp"
for model in ("price", "kind"):
    assert client.is_model_ready(model)
    outputs = [o["name"] for o in client.get_model_metadata(model)["outputs"]]
    for binary in (True, False):
        inputs = []
        for name, values in tables.columns(folder / "test.csv").items():
            shaped = values.reshape(-1, 1) if name == "rooms" else values
            tensor = triton.InferInput(name, list(shaped.shape), tables.DATATYPES[name])
            inputs.append(tensor.set_data_from_numpy(shaped, binary_data=binary))
        for asked in (None, [triton.InferRequestedOutput(o, binary_data=binary) for o in outputs]):
            for packed in (None, "gzip", "deflate"):
                got = client.infer(
                    model,
                    inputs,
                    outputs=asked,
                    request_id="7",
                    request_compression_algorithm=packed,
                    response_compression_algorithm=packed,
                )
                assert got.get_response()["id"] == "7"
                assert "Atlantis" in got.get_response()["parameters"]["warnings"]
                tables.expect(
                    folder / f"{model}.csv", {o: got.as_numpy(o).tolist() for o in outputs}
                )
numbers = tables.columns(folder / "test.csv")
matrix = np.column_stack([numbers["area"], numbers["rooms"].astype(float)])
tensor = triton.InferInput("x", list(matrix.shape), "FP64").set_data_from_numpy(matrix)
got = client.infer("numbers", [tensor])
outputs = [o["name"] for o in got.get_response()["outputs"]]
tables.expect(folder / "numbers.csv", {o: got.as_numpy(o).tolist() for o in outputs})
try:
    client.infer("none", [tensor])
except triton.InferenceServerException as error:
    assert "there is no model" in error.message(), error
else:
    raise AssertionError("an unknown model is answered")
