# modulefile.sh -- `module load tarry` of an installed tree gives its tools and manual pages, and takes them away again;
# the Spack recipe asks for what the build needs.
# no-san
set -eu
fail() { echo "FAILED: $*"; exit 1; }
"$PYTHON" "$TARRY_ROOT/tests/pipeline/check_spack_recipe.py" "$TARRY_ROOT"
modulecmd=$(command -v modulecmd || ls /usr/lib/*/modulecmd.tcl /usr/lib/*/*/modulecmd.tcl /usr/share/*/libexec/modulecmd.tcl 2>/dev/null | head -n 1)
[ -n "$modulecmd" ] || { echo "environment-modules is not installed"; exit 77; }
BUILD=$TARRY_BUILD "$TARRY_ROOT/bin/install-tree" "$PWD/installed"
before=$PATH
module() { "$modulecmd" bash "$@" 2>err || true; }
eval "$(module use "$PWD/installed/share/tarry/modulefiles")"
eval "$(module load tarry)"
[ ! -s err ] || { cat err; fail "module load"; }
[ "$(command -v tarry)" = "$PWD/installed/bin/tarry" ] || fail "PATH: $PATH"
[ -f "${MANPATH%%:*}/man1/tarry.1" ] || fail "MANPATH: $MANPATH"
[ "$PKG_CONFIG_PATH" = "$PWD/installed/lib/pkgconfig" ] || fail "PKG_CONFIG_PATH: $PKG_CONFIG_PATH"
module help tarry >/dev/null
grep -q 'tarry measure' err || { cat err; fail "module help"; }
eval "$(module unload tarry)"
[ "$PATH" = "$before" ] || fail "module unload: $PATH"
