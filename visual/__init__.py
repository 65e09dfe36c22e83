"""Steps to pictures: pure functions from trace data to Plotly figure data and plain strings.

Knows nothing of models, of torch or of a server; `visual.page` is the only part that knows Gradio.
"""
