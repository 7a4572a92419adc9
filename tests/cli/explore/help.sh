# help.sh -- how to make a page.
command -v tarry-explore >/dev/null || { echo "built without the explorer"; exit 77; }
tarry explore --help
