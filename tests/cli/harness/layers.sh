# layers.sh -- check_layers.py finds includes that go up, a circle, a folder that is not listed, a long main program.
check() { "$PYTHON" "$TARRY_ROOT/tests/check_layers.py"; echo "status $?"; }
mkdir -p lib/base lib/measure/core lib/measure/callpath lib/measure/mpi lib/measure/io tools tests bench
cat >lib/layers.txt <<'EOF'
base:
measure: base
measure/core: base
measure/callpath: base measure/core
measure/mpi: measure/core measure/callpath
measure/io: measure/core measure/mpi
EOF
echo '#pragma once' >lib/base/text.hpp
echo '#include "measure/core/thread.hpp"' >lib/measure/precompiled.hpp
echo '#include "base/text.hpp"' >lib/measure/core/thread.hpp
echo '#include "measure/core/thread.hpp"' >lib/measure/callpath/steps.hpp
echo '#include "measure/callpath/steps.hpp"' >lib/measure/mpi/call.cpp
echo '#include "measure/io/names.hpp"' >lib/measure/io/names.cpp
check
echo '--- an include that goes up, and so makes a circle; and one that its line does not name'
echo '#include "measure/callpath/steps.hpp"' >lib/measure/core/clock.cpp
echo '#include "base/text.hpp"' >>lib/measure/io/names.cpp
check
rm lib/measure/core/clock.cpp
sed -i 2d lib/measure/io/names.cpp
echo '--- a circle in the table'
sed -i 's/^measure.core:.*/& measure\/callpath/' lib/layers.txt
check
sed -i 's/^\(measure.core:\).*/\1 base/' lib/layers.txt
echo '--- more than its library may, and a folder that is not listed'
sed -i 's/^base:/&\ndefs:/; s/^measure.io:/& defs/' lib/layers.txt
mkdir lib/measure/heap
check
echo '--- from outside'
sed -i '/^defs:/d; s/^measure.io: defs/measure\/io:/' lib/layers.txt
rmdir lib/measure/heap
echo '#include "measure/core/thread.hpp"' >lib/base/text.cpp
check
echo '--- a long main program'
rm lib/base/text.cpp
mkdir -p tools/{short,long}
yes '//' | head -120 >tools/short/main.cpp
yes '//' | head -121 >tools/long/main.cpp
check
