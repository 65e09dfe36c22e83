"""For a notebook: the last line of a cell shows the player. Two cells, two players."""

import ersd
import visual

pair = ersd.load_pair()
trace = ersd.run(pair, "Once upon a time", ersd.Settings(seed=7))
trace.save("run.html")  # the same player as a file, for disk, slides and other pages
visual.show(trace, height=700)
