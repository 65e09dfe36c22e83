"""The visualiser: `payload` turns steps into data for the browser, `server` runs them, `ui` builds the page, `web` draws."""
