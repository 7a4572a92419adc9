# not_started.sh -- a command that cannot be run leaves no archive; without an archive the command is not run.
run() { tarry measure "$@"; echo "status $?"; }
run -- no-such-command
mkdir there
run -o there -- touch ran
run -o missing/a -- touch ran
ls
