"""Milliseconds: where the time of a run goes, what a guess saves and costs, and the speed-up over decoding without a draft."""
