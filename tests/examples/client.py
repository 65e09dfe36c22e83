"""Ask a served page from Python: `python app.py`, then `python tests/examples/client.py http://127.0.0.1:7860`."""

import json
import sys

from gradio_client import Client

import ersd

page = Client(sys.argv[1], verbose=False)
trace = ersd.Trace.from_json(page.predict("Once upon a time", draft_tokens=8, max_new_tokens=20, api_name="/run"))
print(trace.text, trace.steps[0].states)

for line in page.submit("Once upon a time", max_new_tokens=20, api_name="/generate"):  # one message for every step, as it is made
    message = json.loads(line)
    if message["type"] == "step":
        print("".join(text for _, text in message["headline"]), message["tree"]["states"])

compared = json.loads(page.predict("Once upon a time", methods="ERSD τ*,block", max_new_tokens=20, api_name="/compare"))
print(compared["headline"])
for one in compared["methods"]:
    counts = {name: one["figures"][name] for name in ("accepted", "rejected", "not_reached", "from_target")}
    print(one["method"], counts, one["likeness"]["words"])

every = json.loads(
    page.predict("Once upon a time", source="all", max_new_tokens=20, api_name="/compare")
)  # one text, each source of guesses
print(every["headline"], {one["source"]: one["figures"]["steps"] for one in every["methods"]})
