# help.sh -- what `tarry store` and its operations say of themselves.
tarry store --help
for operation in add list show query tag rm export import verify gc; do tarry store $operation --help; done
