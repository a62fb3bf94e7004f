"""One room per thing a user can do: plain functions from values to values that take a `Progress`."""
