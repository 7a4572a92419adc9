# no_regular_files.sh -- pipes without a writer, devices without end and folders where files should be: refused with
# one line and status 1, in bounded time and memory, by every reader; streams where the manuals allow them.
# timeout 240
set -u
. "$TARRY_ROOT/tests/cli/expect.bash"
quick() { timeout 20 bash -c 'ulimit -v 4000000; exec "$@"' quick "$@"; }
record good
tarry replay -q good && tarry merge -q good -o otf2 --to otf2 && cp -r otf2 keep || exit 1
"$PYTHON" "$TARRY_ROOT/tests/report/make_cubex.py" a.cubex || exit 1
mkfifo pipe
mkdir folder
ln -s /dev/zero zero
ln -s /dev/tty tty

for odd in pipe zero tty /dev/null folder; do
  why='is a (pipe|device|folder)'
  for operation in info calltree dump; do fails "$odd: $why" quick tarry cube $operation $odd; done
  fails "$odd: ($why|is not an archive)" quick tarry report $odd
  fails "$odd: ($why|holds no summary)" quick tarry score $odd
  fails "$odd: ($why|is neither|is no archive)" quick tarry replay $odd
  fails "$odd: ($why|is no)" quick tarry merge $odd -o out --to csv
  fails "$odd: ($why|is no)" quick tarry sync --check $odd
  fails "$odd: $why" quick tarry score -f $odd a.cubex
  fails "$odd: $why" quick tarry measure -f $odd -- true
  fails "$odd: $why" quick tarry cube remap -r $odd a.cubex -o out.cubex
  fails "$odd: $why" quick tarry merge good -o out.csv --to csv --instances $odd --around late-sender
  ln -sf $odd tarry.conf
  [ -d $odd ] || fails "tarry.conf: $why" quick tarry measure -- true
  rm -rf tarry.conf
done

# Files of an archive, and those that an OTF2 anchor names.
for odd in pipe zero; do
  for file in manifest.xml definitions.tdef events/*.tev recording; do
    rm -rf bad && cp -r good bad
    file=$(cd bad && echo $file)
    rm -f bad/$file
    if [ $odd = pipe ]; then mkfifo bad/$file; else ln -s /dev/zero bad/$file; fi
    for command in "archive ls" "archive info" "archive verify" "archive dump" replay unify "merge -o out.csv --to csv" report; do
      quick tarry $command bad >out 2>err
      status=$?
      [ $status -le 1 ] || complain "tarry $command ends with $status where $file is no file ($odd)"
    done
  done
  for file in traces.otf2 traces.def traces/0.evt traces/0.def; do
    rm -rf otf2 && cp -r keep otf2
    rm -f otf2/$file
    if [ $odd = pipe ]; then mkfifo otf2/$file; else ln -s /dev/zero otf2/$file; fi
    for command in "replay -o out.cubex" "sync --check" "merge --fingerprint"; do
      quick tarry $command otf2/traces.otf2 >out 2>err
      status=$?
      [ $status -le 1 ] || complain "tarry $command ends with $status where $file is no file ($odd)"
      [ $status -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "/$file: is a" err || complain "tarry $command takes $file ($odd)"
    done
  done
done

# What the manuals allow.
works tarry cube info <(cat a.cubex)
works bash -c 'tarry cube info - <a.cubex'
works bash -c 'cat a.cubex | tarry report -'
works bash -c 'tarry score -f <(echo "SCOREP_REGION_NAMES_BEGIN EXCLUDE ring* SCOREP_REGION_NAMES_END") a.cubex'
(sleep 0.2; cat a.cubex >pipe) &
works tarry cube info pipe
wait
# A stream without end is no report, and that is clear from its beginning.
fails 'is no report|not a' quick bash -c 'tarry cube info <(cat /dev/zero)'
fails 'is no report|not a' quick bash -c 'tarry cube info - </dev/zero'
exit $wrong
