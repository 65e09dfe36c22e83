"""From steps to what the browser is sent: pure functions of trace data. No torch, no Gradio, no server state."""
