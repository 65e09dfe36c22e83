"""The messages to the browser, as types; `python -m assets.message_types` writes the messages.d.ts of visual/web from them."""
