# file_names.sh -- with --io, looking up, making and changing names of files is file I/O: each call is recorded.
# no-san
# timeout 60
set -euo pipefail
cc -O1 -g -Wall -Werror -D_FORTIFY_SOURCE=2 -o file_names "$TARRY_ROOT/tests/apps/file_names.c"
[ "$(tarry measure -q -s --io -o run -- ./file_names)" = done ] || { echo "FAILED: another output"; exit 1; }
tarry cube dump --csv -m visits run/summary.cubex | sed 's|.*/\([a-z]*\),0,0,|\1 |' | sort >visits
for name in mkdir fstat lstat fstatat access chmod truncate symlink readlink realpath opendir closedir rename unlink rmdir; do
  grep -qx "$name 10" visits || { cat visits; echo "FAILED: not 10 times $name"; exit 1; }
done
grep -qx "stat 20" visits && grep -qx "readdir 50" visits || { cat visits; echo "FAILED: stat or readdir"; exit 1; }
# They are file I/O of the program, and no computation.
tarry cube dump --csv -m comp run/summary.cubex | grep -E '/(stat|rename|readdir),' && { echo "FAILED: computation"; exit 1; }
tarry report run >told
tarry report --json run >found.json
tarry cube dump --csv run/summary.cubex >dump.csv
/usr/bin/python3 "$TARRY_ROOT/tests/report/check_screen.py" told found.json dump.csv
grep -A1 'File I/O' told | grep -q 'of it metadata of files' || { cat told; echo "FAILED: no metadata of files"; exit 1; }

# A rank that only works on names makes the others wait.
"$MPICC" -O1 -o many_names "$TARRY_ROOT/tests/apps/many_names.c"
tarry measure -q -t --io -o names -- mpirun -np 2 ./many_names
tarry replay -q names
tarry report names >told
grep -q 'rank 1 works on metadata of files in' told && ! grep -q 'reads or writes' told || { cat told; echo "FAILED: cause"; exit 1; }
tarry report --json names | grep -q '"nature": "file_metadata"' || { echo "FAILED: nature"; exit 1; }
tarry report --files names >told
! grep -q '[^0-9]0 bytes' told || { cat told; echo "FAILED: 0 bytes"; exit 1; }
