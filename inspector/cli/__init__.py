"""The command line: a thin front end over the operations. CLI.md's contract, exit codes and JSON shapes."""
