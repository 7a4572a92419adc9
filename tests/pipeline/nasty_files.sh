# nasty_files.sh -- the same programs while their files are recorded, too.
# timeout 300
TARRY_IO=1 exec bash "$TARRY_ROOT/tests/pipeline/nasty.sh"
