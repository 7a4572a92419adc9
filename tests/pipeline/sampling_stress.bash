# sampling_stress.bash -- a program that does all that samples may interrupt; sourced by sampling_stress.sh and
# sampling_stress_30m.sh.

# stress SECONDS: its output is the same with 1,999 samples a second as without the recorder, and so is the trace's end.
stress() {
  local apps=$TARRY_ROOT/tests/apps
  "${MPICC%cc}cxx" -O2 -g -o stress "$apps/sampling_stress.cpp" -ldl -lpthread
  cc -O2 -shared -fPIC -DNAME=stress -o plugin.so "$apps/call_paths_plugin.c"
  mpirun -np 2 ./stress ./plugin.so 100 >truth
  grep -q '^15 [0-9a-f]*[1-9a-f]' truth
  tarry measure --sample 1999 -s -t -o run -- mpirun -np 2 ./stress ./plugin.so 100 "$1" >out 2>said || { cat said; return 1; }
  cat said
  cmp out truth
  grep -Eq '^tarry-measure: [0-9]+ samples cost' said
  ! grep -q warning said
  tarry archive verify run
  tarry replay -q --strict run
}
