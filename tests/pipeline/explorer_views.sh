# explorer_views.sh -- what views of a page say is what the commands say that they name: predictions, efficiencies, what
# moved, differences. The page is used by keys, exports what it shows, and can be read in the dark and on paper.
# timeout 300
# no-san
set -eu
fail() { echo "$1"; exit 1; }
. "$TARRY_ROOT/tests/pipeline/browser.bash"

"$MPICC" -O2 -g -o halo_exchange "$TARRY_ROOT/tests/apps/halo_exchange.c" -lm
for run in old1 old2 new1 new2; do
  tarry measure -q -t -o $run -- mpirun -np 4 ./halo_exchange >/dev/null
  tarry replay -q --strict $run
done
tarry explore old1 -o one.html
tarry explore old1 old2 new1 -o three.html
tarry explore old1 old2 new1 new2 --repeats 2 -o four.html

# The trace is read for what is wanted of it.
tarry explore old1 --no-what-if -o none.html
tarry explore old1 --no-timeline -o table.html
tarry explore old1 --what-if 1 -o row.html
blocks() { check check_blocks.py "$1" --names; }
blocks one.html | grep -q 'r0.what_if' || fail "no predictions of a short trace"
blocks none.html | grep -q 'r0.what_if' && fail "predictions that were left out"
blocks table.html | grep -q 'r0.timeline' && fail "a timeline that was left out"
blocks table.html | grep -q 'r0.what_if' || fail "predictions need no timeline"
[ "$(check check_blocks.py row.html --print r0.what_if | grep -c '"kind"')" -eq 2 ] || fail "--what-if 1: a delay and a region"

check check_views.py what-if one.html old1
check check_views.py efficiency four.html old1 old2 new1 new2
check check_views.py compare three.html old1 old2 -- new1
check check_views.py compare four.html old1 old2 -- new1 new2
check check_views.py use four.html

# The last run is the difference, as its page names the commands.
tarry cube mean -q --exact --by-name old1 old2 -o old.cubex
tarry cube mean -q --exact --by-name new1 new2 -o new.cubex
tarry cube diff -q new.cubex old.cubex -o difference.cubex
check check_pages.py --view Compare --view "What if" --view Timeline \
  four.html=old1,old2,new1,new2,difference.cubex

# In a call tree as deep as this, single values of a metric that does not add up are not in the page.
"$PYTHON" "$TARRY_ROOT/tests/report/make_cubex.py" deep.cubex --deep 20000
tarry explore deep.cubex -o deep.html
check check_views.py ratios deep.html time_per_visit
