"""The server: endpoints, the queue of runs, loaded pairs, what a visitor may not do, logs."""
