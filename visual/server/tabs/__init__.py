"""What the server does for every tab but Generate, whose endpoints are those of programs too."""
