# usage.sh -- wrong usage is noticed before anything is touched.
run() { tarry measure "$@"; echo "status $?"; }
run
run true
run --unknown -- true
run --memory lots -- true
TARRY_TRACE=maybe run -- true
echo "colour = red" > tarry.conf
run -- true
ls
