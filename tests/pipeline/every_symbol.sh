# every_symbol.sh -- every MPI function that the MPI library shows is recorded, or stands here with the reason why not.
# Those of the Fortran libraries are recorded where they call the C library: they must do so through its PMPI names.
# no-san
# mpich-long
set -u
failed=0
complain() { echo "$1"; failed=1; }
names() { nm -D --defined-only "$1" | awk '$2 ~ /[TWV]/ { sub(/@.*/, "", $3); print $3 }' | sort -u; }

cat > probe.c <<'C'
#include <mpi.h>
int main(int argc, char** argv) { return MPI_Init(&argc, &argv); }
C
"$MPICC" -o probe probe.c || exit 1
mpi=$(ldd probe | awk '$1 ~ /^libmpi(ch)?\.so/ { print $3 }')
[ -n "$mpi" ] || { echo "where is libmpi.so?"; exit 1; }
names "$mpi" | grep '^MPI_' > library.txt
nm "$TARRY_BUILD/obj/mpi-$TARRY_TEST_MPI.o" | awk '$2 == "t" && $3 ~ /^MPI_[A-Za-z0-9_]*$/ { print $3 }' | sort -u > wrapped.txt
# MPI_INIT is a name of the Fortran library.
names "$TARRY_BUILD/lib/libtarry-mpi.so" | grep '^MPI_' | grep -Evx 'MPI_INIT(_THREAD)?' > entries.txt
comm -23 wrapped.txt entries.txt > hidden.txt
[ ! -s hidden.txt ] || complain "recorded, but programs do not find: $(tr '\n' ' ' < hidden.txt)"
[ "$(wc -l < library.txt)" -gt 350 ] || complain "only $(wc -l < library.txt) functions found in $mpi"

# Why not: conversions of handles, predefined callbacks and constants do nothing that takes time; the clocks, MPI_Pcontrol
# and sums of addresses are called where a program measures itself; the interface for tools is for tools.
allowed='^MPI_(.*_(c2f|f2c|c2f08|f082c|f2f08|f082f)|W(time|tick)|Pcontrol|T_.*|Aint_(add|diff)|F_STATUS(ES)?_IGNORE)$'
allowed="$allowed|^MPI_(.*_)?(DUP|NULL_COPY|NULL_DELETE)_FN\$|^MPI_CONVERSION_FN_NULL\$|^MPI_.*_F90\$"
# Removed from MPI in 2012; mpi.h does not declare them.
removed='^MPI_(Address|Errhandler_(create|get|set)|Type_(extent|hindexed|hvector|lb|struct|ub))$'
comm -23 library.txt wrapped.txt | grep -Ev "$allowed|$removed" > missing.txt &&
  complain "not recorded: $(tr '\n' ' ' < missing.txt)"
comm -13 library.txt wrapped.txt > unknown.txt
[ ! -s unknown.txt ] || complain "recorded, but not in the library: $(tr '\n' ' ' < unknown.txt)"

# From Fortran: what the binding reaches in another way is not recorded; none of it communicates.
inner='^PMPI_((Comm|Type|Win)_(create_keyval|get_attr|set_attr)|(Comm|Win|File|)_?create_errhandler|Errhandler_create|Attr_get|Attr_put|Keyval_create|Type_match_size)$'
[ "$TARRY_TEST_MPI" = mpich ] && fortran=libmpichfort || fortran=libmpi_mpifh
# MPICH 4.0 has no large counts of files and of some datatypes in Fortran.
inner="$inner|^PMPI_(File|Op|Register|Type)_.*_c\$"
# Open MPI 5 asks its own ompi_info_get() and the like, and has no MPI_Session_set_info.
[ "$TARRY_TEST_MPI" = openmpi ] && mpirun --version | grep -Eq '\(Open MPI\) [5-9]' &&
  inner="$inner|^PMPI_(Info_get(_nthkey|_string)?|Session_(create_errhandler|set_info))\$"
fortran=$(ls "$(dirname "$mpi")/$fortran".so* 2>/dev/null | head -1)
if [ -n "$fortran" ]; then
  # MPI_X of MPICH's is found in the recorder first, as the program's own calls are.
  nm -D --undefined-only "$fortran" | awk '{ print $2 }' | sed 's/^MPI_/PMPI_/' | grep '^PMPI_' | sort -u > reached.txt
  sed 's/^/P/' wrapped.txt | sort | comm -23 - reached.txt | grep -Ev "$inner" > not_reached.txt &&
    complain "Fortran does not call: $(tr '\n' ' ' < not_reached.txt)"
fi
echo "$(wc -l < wrapped.txt) of $(wc -l < library.txt) functions of $(basename "$mpi") are recorded"
exit $failed
