# words.sh -- the check of words sees what it is for, and passes over tables, code and quoted titles.
cat >good.md <<'END'
# Good

The test returns at once ("Who needs whom"). It says `in vain` only in code:

    fold the united lane, which stands in vain, and whom nobody knows, says this line of code that is much longer than 120 columns

| a table | may hold a sentence of any length, since one two three four five six seven eight nine ten eleven twelve thirteen |
|---|---|
END
cat >bad.md <<'END'
# Calls in vain

The tool folds them and unites trees in every lane, and each Parcel has quirks.

* One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
  nineteen twenty twenty-one twenty-two twenty-three twenty-four twenty-five twenty-six. D. Knuth is fine.

Nobody says what it is. This line is longer than a hundred and twenty columns, which no editor of two windows can show at all.
END
mkdir -p lib/base bench
cat >lib/base/good.hpp <<'END'
// good.hpp -- a drawing is no prose, and folders hold files.
//
//   waiter   [ one two three four five six seven ]      | eight nine ten eleven twelve
//   cause         [ thirteen fourteen fifteen sixteen ]   seventeen eighteen nineteen twenty twenty-one twenty-two
//
// - One two three four five six seven eight nine ten eleven twelve thirteen.
// - Fourteen fifteen sixteen seventeen eighteen nineteen twenty twenty-one twenty-two
//   twenty-three twenty-four.
int open_folder();  // one two three four five six seven eight nine ten eleven twelve thirteen
// One two three four five six seven eight nine ten eleven twelve thirteen
END
cat >lib/base/bad.cpp <<'END'
// bad.cpp -- one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
// sixteen seventeen eighteen nineteen twenty twenty-one twenty-two twenty-three twenty-four twenty-five.
int calls_in_vain, kFoldedCalls, laneOf;

int end;  // one two three four five six seven eight nine ten eleven twelve thirteen
          // fourteen fifteen sixteen seventeen eighteen nineteen twenty twenty-one twenty-two twenty-three twenty-four
          // twenty-five twenty-six
const char* const kAll = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen";
END
cp lib/base/bad.cpp bench/bad.cpp  # no folder that must be clean
check() { "${PYTHON:-python3}" "$TARRY_ROOT/tests/check_words.py" "$@"; }
check good.md
check bad.md
status=$?
check --statistics good.md bad.md
check --code && exit 1
[ "$(check --code --all | grep -c '^bench/bad.cpp:')" -gt 0 ] || echo "--all looks no further"
rm lib/base/bad.cpp
check --code || exit 1
exit $status
