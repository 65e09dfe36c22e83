"""Stop: what its button does in the browser (stop.js). The run itself is closed by Gradio, as the event that the button cancels."""

from __future__ import annotations

import json
from collections.abc import Sequence

from visual.payload.messages import stopped


def stop_in_browser(shown: Sequence[str], start: str) -> str:
    """JavaScript of the button; `shown`: ids of what shows the run, `start`: id of the button that starts one."""
    return f"() => ersdStop({json.dumps(shown)}, {json.dumps(start)}, {json.dumps(stopped())})"
