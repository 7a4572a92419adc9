# help.sh -- what `tarry history` says of itself.
tarry history --help
