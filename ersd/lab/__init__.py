"""The lab: many trials of one node by the rule code that the engine runs, rules broken on purpose, and a check for rules of one's own."""

from .agreement import Agreement as Agreement, agreement as agreement
from .broken import BUGS as BUGS, Bug as Bug
from .check import Finding as Finding, Report as Report, check as check
from .experiment import (
    acceptances as acceptances,
    by_guess as by_guess,
    clocks_of as clocks_of,
    experiment as experiment,
)
from .results import Experiment as Experiment
from .simulation import Outcome as Outcome, rule_of as rule_of, run as run, trials as trials
from .single import record as record

__all__ = [
    "BUGS",
    "Agreement",
    "Bug",
    "Experiment",
    "Finding",
    "Outcome",
    "Report",
    "acceptances",
    "agreement",
    "by_guess",
    "check",
    "clocks_of",
    "experiment",
    "record",
    "rule_of",
    "run",
    "trials",
]
