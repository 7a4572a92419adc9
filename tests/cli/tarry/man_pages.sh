# man_pages.sh -- a manual page for each tool and each operation of `tarry cube`, without terms of the parser.
mkdir man
bin=$(dirname "$(command -v tarry)")
"$PYTHON" "$TARRY_ROOT/docs/make_man.py" man $(tarry | awk -v bin="$bin" '{ print bin "/tarry-" $1 }') || exit 1
for operation in $(tarry cube --help | sed -n '/^Operations:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p'); do
  [ -s "man/tarry-cube-$operation.1" ] || echo "WRONG: no page for tarry cube $operation"
  cmp <(tarry help cube $operation) <(tarry cube $operation --help)
done
grep -l '{false}\|{true}\|REQUIRED\|Excludes:\|UINT\|:{\|SUBCOMMAND' man/*.1 | sed 's/^/WRONG: parser syntax in /'
for page in man/*.1; do
  for section in NAME SYNOPSIS OPTIONS EXAMPLES 'SEE ALSO'; do
    grep -q "^\.SH $section\$" "$page" || echo "WRONG: $page has no $section"
  done
done
ls man | wc -l | awk '{ print ($1 >= 29 ? "pages for all" : "only " $1 " pages") }'
sed 1d man/tarry-cube-cut.1
