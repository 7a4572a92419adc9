#!/bin/bash
# Two readers that share nothing but docs/FORMAT.md agree on an archive, and both reject one with a changed byte.
set -eu
oracle=$TARRY_ROOT/tests/oracle

python3 "$oracle/check_format.py" "$TARRY_ROOT/docs/FORMAT.md"

TARRY_SAMPLE=$PWD/sample "$TARRY_BUILD/tests/unit/archive_tests" --gtest_filter='*WritesSampleForOtherReaders' > made.txt
tarry-archive verify sample
tarry-archive dump sample > ours.txt
python3 "$oracle/read_archive.py" sample > theirs.txt
cmp ours.txt theirs.txt
test -s ours.txt
tarry-archive dump sample --rank 2 --thread 1 > ours.txt
python3 "$oracle/read_archive.py" sample --rank 2 --thread 1 > theirs.txt
cmp ours.txt theirs.txt

# A byte in every file, at places spread over it.
for file in manifest.xml definitions.tdef events/n0.tev events/n1.tev; do
  for part in 0 29 71 100; do
    rm -rf changed
    cp -r sample changed
    python3 - "changed/$file" "$part" << 'END'
import sys
with open(sys.argv[1], "r+b") as file:
    data = bytearray(file.read())
    data[(len(data) - 1) * int(sys.argv[2]) // 100] ^= 0x20
    file.seek(0)
    file.write(data)
END
    status=0
    tarry-archive verify changed > verdict.txt 2>&1 || status=$?
    test $status = 1 || { echo "verify accepts $file changed at $part %"; cat verdict.txt; exit 1; }
    if python3 "$oracle/read_archive.py" changed > /dev/null 2>&1; then
      echo "the other reader accepts $file changed at $part %"
      exit 1
    fi
  done
done
