"""The client of the protocol's OpenAPI description, against the columns of predict."""

import sys
from pathlib import Path

from open_inference.openapi.client import InferenceRequest, OpenInferenceClient
from open_inference.openapi.core.api_error import ApiError

from scripts.tools.serve import tables

address, folder = sys.argv[1], Path(sys.argv[3])
client = OpenInferenceClient(base_url=f"http://{address}")
client.check_server_liveness()
client.check_server_readiness()
assert client.read_server_metadata().name == "pfnamp"
for model in ("price", "kind"):
    client.check_model_readiness(model)
    assert client.read_model_metadata(model).platform == "pfnamp"
    inputs = []
    for name, values in tables.columns(folder / "test.csv").items():
        datatype = tables.DATATYPES[name]
        if datatype == "FP64":  # of which this client sends neither null nor NaN: as texts
            datatype, values = "BYTES", ["" if v != v else repr(v) for v in values]
        inputs.append({"name": name, "shape": [len(values)], "datatype": datatype, "data": values})
    got = client.model_infer(model_name=model, request=InferenceRequest(inputs=inputs))
    tables.expect(
        folder / f"{model}.csv", {o.name: getattr(o.data, "__root__", o.data) for o in got.outputs}
    )
try:
    client.read_model_metadata("none")
except ApiError as error:
    assert error.status_code == 404 and "there is no model" in str(error.body), error
else:
    raise AssertionError("an unknown model is found")
