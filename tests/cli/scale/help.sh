# help.sh -- the options of tarry scale.
tarry scale --help
