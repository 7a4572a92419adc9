# help.sh -- how to make a page.
tarry explore --help
