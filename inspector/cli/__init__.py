"""The command line: a thin front end over the operations. Exit codes and JSON shapes are a contract for scripts."""
