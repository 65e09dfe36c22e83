"""The run, or the answers, of every tab but Generate, whose endpoints are those of programs too."""
