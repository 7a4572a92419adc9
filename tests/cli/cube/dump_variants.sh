# dump_variants.sh -- the same report in every layout other writers use gives the same values.
make() { "$PYTHON" "$TARRY_ROOT/tests/report/make_cubex.py" "$@"; }
make a.cubex
tarry cube dump --csv --strict a.cubex > expected.csv || exit 1
for order in "" --big-endian; do
  for rows in "" --dense; do
    for data in "" --compressed; do
      for anchor in "" --gzip-anchor; do
        for place in "" --anchor-first; do
          make b.cubex $order $rows $data $anchor $place
          tarry cube dump --csv --strict b.cubex | cmp - expected.csv || echo "differs:" $order $rows $data $anchor $place
        done
      done
    done
  done
done
tarry cube dump --csv - < b.cubex | cmp - expected.csv && echo "32 variants and stdin agree"
