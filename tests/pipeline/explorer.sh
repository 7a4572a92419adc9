# explorer.sh -- pages of real, foreign, damaged and hostile reports in a browser: each view opens, values are those of the
# reports, no address is asked for, no name is taken for HTML.
# timeout 300
# no-san
set -eu
fail() { echo "$1"; exit 1; }
. "$TARRY_ROOT/tests/pipeline/browser.bash"

# A run of this machine: small, the same each time, and without what must not be mailed if so wished.
mkdir secret_folder
cp "$TARRY_ROOT/tests/apps/halo_exchange.c" secret_folder
"$MPICC" -O2 -g -o secret_folder/halo_exchange "$PWD/secret_folder/halo_exchange.c" -lm
tarry measure -q -t -o secret_folder/run -- mpirun -np 4 secret_folder/halo_exchange
tarry replay -q --strict secret_folder/run
tarry explore secret_folder/run -o run.html
mv run.html first.html
tarry explore secret_folder/run -o run.html
cmp first.html run.html || fail "two pages of one report differ"
[ "$(wc -c <run.html)" -le 2000000 ] || fail "the page of a small run has $(wc -c <run.html) bytes"
[ "$(wc -c <"$TARRY_BUILD/explore/page.html")" -le 1500000 ] || fail "the page without data is too large"
check check_blocks.py run.html --without "no such text" || fail "blocks"
check check_blocks.py run.html --without secret_folder && fail "the page tells nothing of folders"
check check_blocks.py run.html --without "static void set_up" && fail "the page holds no source"
tarry explore --redact "$PWD/secret_folder/run" -o mail.html
check check_blocks.py mail.html --without secret_folder --without "$PWD" --without "\"$(hostname)\"" --without mpirun \
  --without "static void set_up" || fail "a redacted page tells of this machine"
# What is newer than the run is not its source; what is no source is not read.
touch secret_folder/halo_exchange.c
tarry explore secret_folder/run -o newer.html
check check_blocks.py newer.html --without "static void set_up" || fail "source that was changed after the run"

# Reports of the reference tools: a hybrid profile and analysis, and 64 ranks.
. "$TARRY_ROOT/tests/peer/unpack.bash"
unpack_peer_cases sp-mz-S-2x2 sweep3d-64 >cases
for report in profile scout; do tarry explore peer/sp-mz-S-2x2/$report.cubex -o $report.html; done
tarry replay -q peer/sweep3d-64/traces.otf2 -o ranks64.cubex
tarry explore ranks64.cubex -o ranks64.html

# Names that would be HTML or a script, and what is left of a damaged report.
make() { "$PYTHON" "$TARRY_ROOT/tests/report/make_cubex.py" "$@"; }
in_xml() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g'; }
script=$'</script><script>window.hostile = 1</script><img src=x onerror="hostile = 1">]]>-->\'"&lt;\e[31m\xe2\x80\xae'
make hostile.cubex --names-end "$(in_xml <<<"$script")"
make long.cubex --names-end "$(in_xml <<<"<b>$script")" --long-names 8000  # 1 MB each
make cut.cubex --anchor-first --cut 1600
tarry explore hostile.cubex long.cubex -o hostile.html
grep -q '<img src=x' hostile.html && fail "a name is in the page as it is"
tarry explore cut.cubex -o cut.html 2>complaint
grep -q 'is damaged' complaint || fail "nobody says that a report is damaged"

check check_pages.py run.html=secret_folder/run mail.html=secret_folder/run scout.html=peer/sp-mz-S-2x2/scout.cubex \
  profile.html=peer/sp-mz-S-2x2/profile.cubex ranks64.html=ranks64.cubex \
  hostile.html=hostile.cubex,long.cubex cut.html=cut.cubex
