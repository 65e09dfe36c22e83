"""From a Step to the messages and Plotly data that the browser is sent: pure functions. No torch, no Gradio, no server state."""
