"""Generate a text and print what every target call gave."""

import ersd

pair = ersd.load_pair()  # or load_pair(target="Qwen/Qwen3-8B", draft="Qwen/Qwen3-0.6B", device="cuda")
settings = ersd.Settings(algorithm="ersd", topology="tau_star", draft_tokens=16, seed=7)
trace = ersd.run(pair, "Once upon a time", settings)

print(trace.text)
for step in trace.steps:
    states = {state: step.states.count(state) for state in ("accepted", "rejected", "not reached")}
    print([one.text for one in step.emitted], states)
print(trace.stats["tokens_per_call"], "tokens per target call")
