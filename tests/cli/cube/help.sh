# help.sh -- each operation explains itself with examples.
for op in "" info dump calltree stat topn regioninfo matrix sanity diff merge mean min max clean cut part remap convert cmp test; do
  tarry cube $op --help > help.txt || echo "status $?"
  grep -c "^  .*tarry cube" help.txt
  grep -c "^Files:\|^See also:" help.txt
done
