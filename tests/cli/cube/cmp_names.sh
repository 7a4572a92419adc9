# cmp_names.sh -- cmp shows functions of C++ without arguments; what differs only in these keeps them, and programs that
# read the output get whole names.
make() { "$PYTHON" "$TARRY_ROOT/tests/report/make_program.py" "$@"; }
run() { tarry cube cmp "$@"; echo "status $?"; }
pair() {
  make old.cubex --names "$1" "$2" && make new.cubex --scale setup=2 --scale "solve=$3" --names "$1" "$2"
}
setup='void Grid<double>::fill(std::vector<int> const&)'
echo "== two functions"
pair "$setup" 'Solver<Grid<double> >::step(int)' 2
run --per region old.cubex new.cubex
run --per callpath old.cubex new.cubex
run --per region --full-names old.cubex new.cubex
run --per region --format github old.cubex new.cubex
run --per callpath --format junit old.cubex new.cubex
echo "== two instances of a template"
pair "$setup" 'void Grid<float>::fill(std::vector<int> const&)' 2
run --per callpath old.cubex new.cubex
echo "== the other instance did not move and is not shown"
pair "$setup" 'void Grid<float>::fill(std::vector<int> const&)' 1
run --per region old.cubex new.cubex
