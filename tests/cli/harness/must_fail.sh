# must_fail.sh -- control: proves that the harness notices a wrong status, wrong output and wrong messages.
echo "what it prints"
echo "what it complains" >&2
exit 1
