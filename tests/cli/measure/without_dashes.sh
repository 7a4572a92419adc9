# without_dashes.sh -- the command may begin without `--`, and keeps the options that stand behind it.
tarry measure -q -o a sh -c 'echo "$0 $1 $2"; exit 3' -t -- x
echo "status $?"
tarry measure -q -to b echo -q
echo "status $?"
tarry archive info a | grep '^command'
tarry measure -q -o c ./no_such_program
echo "status $?"
ls
