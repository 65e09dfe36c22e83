"""The names of the sources of drafts, each with one line of explanation; `factory.MAKERS` has how each is made. A source writes the same
text as any other under a race: it decides only how much of it was guessed."""

SOURCES: dict[str, str] = {"model": "the draft model"}
"""name -> what guesses; a pair without what a source needs refuses it"""
