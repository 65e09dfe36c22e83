"""One text from every source of guesses: what differs is how many target calls it takes."""

import ersd
from ersd.drafts.sources import sources_of

pair = ersd.load_pair()
texts = set()
for source in sources_of(pair):
    trace = ersd.run(pair, "Once upon a time", ersd.Settings(draft_tokens=8, max_new_tokens=48, seed=7, source=source))
    texts.add(trace.text)
    print(f"{source:9s} {len(trace.steps)} target calls")
print(*texts)
