"""Openings of stories: the first half for measuring ranks, the second half for tables and recorded runs."""

OPENINGS = (
    "Once upon a time there was a little girl named",
    "The dog ran",
    "One day, Tom and",
    "Mia had a red ball.",
    "It was",
    "Lily saw a big",
    "In the park,",
    "Ben was sad because",
    "The cat and the bird",
    "Mom said",
    "There once was a king who",
    "A boy named Sam",
    "Once there was a bear who lived",
    "Every morning the farmer",
    "They went to the beach",
    '"Look!" said',
    "Sara liked to sing",
    "The old tree",
    "When it rained,",
    "Max found a box",
    "Her friend was",
    "One night the moon",
    "A small fish",
    "Dad gave Anna",
)
FOR_RANKS, FOR_TABLE = OPENINGS[:12], OPENINGS[12:]
