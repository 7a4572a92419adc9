# explorer_damaged.bash -- pages of what the fuzzers make; sourced by explorer_damaged.sh and explorer_damaged_300.sh.

# make_page INPUT PAGE REPORT: adds the page to those to open. A damaged input that makes none is an error in one line.
make_page() {
  local status=0
  tarry explore "$1" -o "$2" 2>said || status=$?
  case $status in
    0) echo "$2=$3" >>pages ;;
    1) [ "$(wc -l <said)" -eq 1 ] && [ ! -e "$2" ] || { cat said; echo "$1: an error, but not one line"; return 1; } ;;
    *) cat said; echo "$1: status $status"; return 1 ;;
  esac
}

# open_damaged_pages SEED COUNT: as many changed reports, and damaged traces of every other seed.
open_damaged_pages() {
  local first=$1 last=$(($1 + $2 - 1)) seed fuzz=$TARRY_BUILD/fuzz
  command -v tarry-explore >/dev/null || { echo "built without the explorer"; exit 77; }
  "$fuzz/changed_reports" --write "$first" "$2"
  for seed in $(seq "$first" "$last"); do
    make_page "$seed.cubex" "report-$seed.html" "$seed.cubex"
  done
  for seed in $(seq "$first" "$last"); do
    [ $((seed % 4)) -ge 2 ] || continue  # the others stay in memory
    "$fuzz/damaged_traces" "$seed" 1 2>complaints >/dev/null || { cat complaints; return 1; }
    mv case "trace-$seed"
    mv case.cubex "trace-$seed/analysis.cubex"
    input=trace-$seed
    [ ! -e "$input/traces.otf2" ] || input=$input/traces.otf2
    make_page "$input" "trace-$seed.html" "trace-$seed/analysis.cubex"
  done
  [ "$(wc -l <pages)" -gt "$2" ] || { echo "only $(wc -l <pages) pages"; return 1; }
  /usr/bin/python3 -B "$TARRY_ROOT/tests/explorer/check_pages.py" --values 100 $(cat pages)
}
