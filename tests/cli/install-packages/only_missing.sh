# only_missing.sh -- installs what is missing and nothing else; does nothing if all is there. apt and sudo are stand-ins.
mkdir stand-ins
for name in apt-get sudo; do printf '#!/bin/sh\necho "%s $*"\n' $name >stand-ins/$name; done
printf '#!/bin/sh\necho 1000\n' >stand-ins/id
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
export MISSING REMOVED

echo "== nothing missing"
"$TARRY_ROOT/bin/install-packages" build test
echo "== one was never there, one was removed"
MISSING=libcli11-dev REMOVED=hpcc "$TARRY_ROOT/bin/install-packages" build test
echo "== what the demo needs does not include the tests"
REMOVED=hpcc "$TARRY_ROOT/bin/install-packages" build
echo "== wrong usage"
"$TARRY_ROOT/bin/install-packages" everything
