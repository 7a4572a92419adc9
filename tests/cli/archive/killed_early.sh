# killed_early.sh -- a recording that was killed before it had written a manifest is incomplete, not damaged.
mkdir -p run/events && : >run/recording || exit 1
tarry archive verify run >said
[ $? -eq 1 ] || { echo "status"; exit 1; }
grep -q '^run: intact, incomplete (dead); 0 of 0 chunks' said || { cat said; exit 1; }
# Once something is there, so must be the manifest of a recording that is over.
rm run/recording
tarry archive verify run >said 2>&1 && exit 1
! grep -q 'intact' said
