"""A tree of your own: two children at the first two levels, then chains."""

import ersd
from ersd.drafts.topologies import Topology, register


def fork(draft_tokens, sequences, branching):
    """Children of every node, level by level: 2 + 4 tokens, then 4 more on each level."""
    return (2, 2, *(1,) * ((draft_tokens - 6) // 4))


register("fork", Topology("two forks, then four chains", fork))
pair = ersd.load_pair()
for topology in ("fork", "tau_star"):
    trace = ersd.run(pair, "Once upon a time", ersd.Settings("ersd", topology, draft_tokens=18, seed=3))
    print(topology, trace.stats["tokens_per_call"], "tokens per target call")
