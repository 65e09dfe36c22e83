"""Ask a served page over HTTP, with nothing but the standard library: the first request gives a number, the second the answer."""

import json
import sys
import urllib.request

address = sys.argv[1]
values = {"prompt": "Once upon a time", "methods": "ERSD τ*,one by one", "draft_tokens": "8", "max_new_tokens": 20}
request = urllib.request.Request(f"{address}/gradio_api/call/v2/compare", json.dumps(values).encode(), {"Content-Type": "application/json"})
with urllib.request.urlopen(request) as response:
    number = json.load(response)["event_id"]
with urllib.request.urlopen(f"{address}/gradio_api/call/v2/compare/{number}") as response:
    events = response.read().decode().split("\n\n")
(answer,) = json.loads(events[-2].partition("data: ")[2])
for one in json.loads(answer)["methods"]:
    print(one["method"], one["figures"]["tokens_per_call"], "tokens per target call")
