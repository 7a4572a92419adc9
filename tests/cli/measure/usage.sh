# usage.sh -- wrong usage is noticed before anything is touched.
run() { tarry measure "$@"; echo "status $?"; }
run
run run1 -s -- true
run run1 true
run --unknown -- true
run --memory lots -- true
TARRY_TRACE=maybe run -- true
run --trase -- true
echo "colour = red" > tarry.conf
run -- true
printf '# buffers\nmemory = lots\n' > tarry.conf
run -- true
run --memory 200X -- true
ls
