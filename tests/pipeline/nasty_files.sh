# nasty_files.sh -- the same programs while their files are recorded, too; some of them without call paths.
# timeout 300
export TARRY_IO=1
bash "$TARRY_ROOT/tests/pipeline/nasty.sh" || exit 1
mkdir without_paths && cd without_paths || exit 1
TARRY_CALLPATHS=0 NASTY_CASES="strict_sandbox strict_write filter_sandbox bad_vectors cancelled_late storm" \
  exec bash "$TARRY_ROOT/tests/pipeline/nasty.sh"
