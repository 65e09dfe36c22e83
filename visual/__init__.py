"""Steps to pictures: pure functions from trace data to messages for the browser, Plotly figure data and plain strings.

Knows nothing of models, of torch or of a server; `visual.page` is the only part that knows Gradio.

What is sent:      messages (a run, and the kit), tree, decision, text, timeline, stats (tiles), theory
What is said:      kinds (the table, by how a rule decides), explain, explain_choice, explain_coins, explain_block, words
How it is drawn:   layout (where vertices stand), treestyle, butterfly, theme, tree_preview (a shape before anything is drafted)
"""
