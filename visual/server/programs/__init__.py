"""What programs ask of the page: `/compare`, and the tools for agents. `/generate` and `/run` are in `endpoints.py`."""
