# cuda_headers.sh -- the library that records CUDA compiles against each set of CUPTI's headers, by each compiler that is
# there, and reads the records of each other version: tests/apps/cuda_runtime.c plays them. Folders of further headers
# are named in CUPTI_HEADERS, with colons between them.
# no-san
# timeout 300
set -u
failed=0
fail() { echo "FAILED: $1"; failed=1; }
value() { tarry cube dump --csv "$1/analysis.cubex" -m "$2" 2>/dev/null | awk -F, 'NR > 1 {sum += $5} END {print sum + 0}'; }

# folder_N/ for each set, N being the version of its CUPTI.
IFS=: read -r -a named <<<"${CUPTI_HEADERS:-}"
versions=()
for folder in "${named[@]}" "${CUDA:-/usr/local/cuda}/include" /usr/local/cuda*/include /usr/include; do
  [ -e "$folder/cupti.h" ] && [ -e "$folder/cuda_runtime_api.h" ] || continue
  version=$(sed -n 's/^#define CUPTI_API_VERSION *//p' "$folder/cupti_version.h")
  [ -e "folder_$version" ] && continue
  ln -s "$(realpath "$folder")" "folder_$version"
  versions+=("$version")
done
[ ${#versions[@]} -gt 0 ] || { echo "skip: no headers of CUPTI (cupti.h)"; exit 77; }
echo "versions of CUPTI's headers: ${versions[*]}"

# In /usr/include compilers look by themselves, and only in the right order.
include_flags() { [ "$(realpath "folder_$1")" = /usr/include ] || echo "-isystem $(realpath "folder_$1")"; }

compilers=("${CXX:-g++}")
command -v clang++ >/dev/null && compilers+=(clang++)
apps=$TARRY_ROOT/tests/apps
printf '#include "%s"\n' "$TARRY_ROOT"/lib/measure/cuda-layer/*.cpp >layer.cpp
for version in "${versions[@]}"; do
  flags=$(include_flags "$version")
  for compiler in "${compilers[@]}"; do
    $compiler -std=c++20 -O0 -Wall -Wextra -Werror -fPIC -shared -fvisibility=hidden -fno-exceptions -fno-rtti \
      -I"$TARRY_ROOT/lib" $flags -include measure/core/no_other_locks.hpp -DTARRY_CUDA_FOLDER='"/none"' \
      layer.cpp -o "layer_$version.so" -Wl,-z,nodelete -pthread -ldl ||
      fail "$compiler does not compile it against version $version"
  done
  mkdir "cuda_$version"
  play() { ${CC:-gcc} -O1 -g $flags -shared -fPIC "$apps/cuda_runtime.c" "$@" || fail "nothing plays version $version"; }
  play -o "cuda_$version/libcudart.so.13" -Wl,-soname,libcudart.so.13 -lpthread -ldl
  play -DCUPTI -o "cuda_$version/libcupti.so.13" -Wl,-soname,libcupti.so.13 -L"cuda_$version" -l:libcudart.so.13
  ${CC:-gcc} -O1 -g $flags "$apps/cuda_waits.c" -o "cuda_$version/cuda_waits" -L"cuda_$version" -l:libcudart.so.13 -lpthread
done
[ $failed = 0 ] || exit 1

# The library stands in the place of Tarry's own, which is that of one set.
for built in "${versions[@]}"; do
  for loaded in "${versions[@]}"; do
    for case in copies managed; do
      run=${case}_${built}_$loaded
      LD_LIBRARY_PATH=$PWD/cuda_$loaded CUDA_INJECTION64_PATH=$PWD/layer_$built.so \
        timeout 30 tarry measure -q --cuda -t -o "$run" -- "cuda_$loaded/cuda_waits" "$case" >/dev/null 2>"$run.err" ||
        { cat "$run.err"; fail "built with $built, loaded $loaded: status $?"; }
      tarry replay -q --strict "$run" || fail "built with $built, loaded $loaded: not analysed"
    done
    bytes=$(value "copies_${built}_$loaded" device_bytes) kernels=$(tarry archive dump "copies_${built}_$loaded" | grep -c 'ENTER.*"spin')
    [ "$bytes" = 47185920 ] && [ "$kernels" = 3 ] || fail "built with $built, loaded $loaded: $bytes bytes, $kernels of 3 kernels"
    bytes=$(value "managed_${built}_$loaded" device_bytes)
    [ "$bytes" = 8388608 ] || fail "built with $built, loaded $loaded: $bytes bytes of shared memory"
  done
done
exit $failed
