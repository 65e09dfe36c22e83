"""Two rules on one prompt and seed. A race writes the target's own text; coins write another one from the same distribution."""

import ersd

pair = ersd.load_pair()
prompt = "Lily and her dog went to"
plain = ersd.run(pair, prompt, ersd.Settings("autoregressive", seed=5))
for name in ("ERSD τ*", "SpecInfer"):
    algorithm, topology = ersd.METHODS[name]
    trace = ersd.run(pair, prompt, ersd.Settings(algorithm, topology, draft_tokens=12, seed=5))
    same = "the same text" if trace.text == plain.text else "another text"
    print(f"{name}: {len(trace.steps)} target calls instead of {len(plain.steps)}, {same}")
