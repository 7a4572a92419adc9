# only_missing.sh -- installs what is missing and nothing else; does nothing if all is there. What apt says is in a log.
# Who may not install goes on with what is there. apt and sudo are stand-ins.
mkdir stand-ins
cat >stand-ins/apt-get <<'TOOL'
#!/bin/sh
echo "apt-get $*"
case " $* " in *" install "*" $BROKEN"*) exit 100 ;; esac
TOOL
printf '#!/bin/sh\necho "sudo $*"\nexec "$@"\n' >stand-ins/sudo
printf '#!/bin/sh\necho 1000\n' >stand-ins/id
printf '#!/bin/sh\n[ "$2" != "$UNKNOWN" ]\n' >stand-ins/apt-cache
cat >stand-ins/dpkg-query <<'TOOL'
#!/bin/sh
# Like the real one: status and name of each package, and a failure if one is unknown.
shift 3
for package; do
  case $package in
    "$MISSING") unknown=1 ;;
    "$REMOVED") printf 'config-files=%s ' "$package" ;;
    *) printf 'installed=%s ' "$package" ;;
  esac
done
exit ${unknown:-0}
TOOL
chmod +x stand-ins/*
PATH=$PWD/stand-ins:$PATH
export MISSING REMOVED UNKNOWN=clang-format-14 BROKEN=none
mkdir -p cuda/include
touch cuda/include/cupti.h
export CUDA=$PWD/cuda

echo "== nothing missing"
"$TARRY_ROOT/bin/install-packages" build test
[ ! -e build ] || echo "there is a log"
echo "== one was never there, one was removed"
MISSING=libcli11-dev REMOVED=hpcc "$TARRY_ROOT/bin/install-packages" build test
cat build/apt.log
echo "== what the demo needs does not include the tests"
REMOVED=hpcc "$TARRY_ROOT/bin/install-packages" build
echo "== this release lacks one, which keeps nothing else away; the program may be there without the package"
BUILD=other MISSING=node-d3 REMOVED=esbuild UNKNOWN=node-d3 "$TARRY_ROOT/bin/install-packages" build
echo "status $?"
cat other/apt.log
echo "== apt fails"
BUILD=other REMOVED=esbuild BROKEN=esbuild "$TARRY_ROOT/bin/install-packages" build
echo "status $?"
echo "== no sudoer"
printf '#!/bin/sh\nexit 1\n' >stand-ins/sudo
export ESBUILD=no-esbuild
REMOVED=esbuild "$TARRY_ROOT/bin/install-packages" build
echo "status $?"
echo "== no sudoer, and something is missing that is needed"
REMOVED=binutils AR=no-ar "$TARRY_ROOT/bin/install-packages" build
echo "status $?"
echo "== wrong usage"
"$TARRY_ROOT/bin/install-packages" everything
