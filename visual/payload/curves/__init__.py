"""Messages and words of the Curves tab."""
