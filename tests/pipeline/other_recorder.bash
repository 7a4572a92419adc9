# other_recorder.bash -- the tools with a recorder that is built otherwise; sourced by tests.

# use_recorder FOLDER: puts tools in front of PATH that take the recorder from FOLDER/lib.
use_recorder() {
  mkdir bin && cp "$(dirname "$(command -v tarry-measure)")"/tarry* bin/ || exit 1
  ln -s "$1" build && ln -s "$TARRY_ROOT/lib" lib || exit 1
  export PATH=$PWD/bin:$PATH
}
