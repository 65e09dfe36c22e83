"""A rule of your own: draft and target share one uniform number instead of clocks. Exact, but it agrees less often than a race."""

import ersd
from ersd.rules import register
from ersd.rules.argmax import accept_if_drafted
from ersd.rules.base import Rule
from ersd.rules.registry import Traits
from ersd.sampling import sample


class SharedUniform(Rule):
    name = "shared_uniform"
    traits = Traits("one uniform number for both models", kind="uniform", most_children=1, exact_on_any_shape=True)

    def draft(self, q, k, noise, slots):
        return sample(q, noise.residual().expand(len(q)).unsqueeze(-1))

    def verify(self, p, q, children, noise):
        return accept_if_drafted(sample(p, noise.residual().expand(len(p)).unsqueeze(-1)).squeeze(-1), children)


print(ersd.lab.check(SharedUniform(), k=1))  # is it exact?
register(SharedUniform())
trace = ersd.run(ersd.load_pair(), "Once upon a time", ersd.Settings("shared_uniform", "sequence", draft_tokens=4))
print(trace.stats["acceptance"], "of the guesses were accepted:", trace.text)
