# references.sh -- the check of references sees links, headings and paths that are not there.
mkdir -p docs lib
cat >docs/PAGE.md <<'END'
# Page

## The first (`first`)

See "The first", [this](PAGE.md#the-first-first), [that](#nowhere), [none](MISSING.md) and the web (https://example.org).
`lib/there.cpp`, `lib/there`, `lib/X.cpp` and `bin/tarry-X` are right, `lib/gone.cpp` is not. See docs/PAGE.md, "The
last".
END
cat >lib/there.cpp <<'END'
// there.cpp -- an example. Source: docs/PAGE.md, "The first"; docs/PAGE.md, "The
// second". And docs/OTHER.md, "Anything".
END
"${PYTHON:-python3}" "$TARRY_ROOT/tests/check_references.py"
