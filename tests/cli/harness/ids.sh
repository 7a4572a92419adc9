# ids.sh -- the check of ids finds plain numbers in declarations of the recorder, and takes no others for them.
check() { "$PYTHON" "$TARRY_ROOT/tests/check_ids.py"; echo "status $?"; }
mkdir -p lib/measure/core lib/measure/mpi
cat >lib/measure/core/steps.hpp <<'EOF'
/// Enters std::uint32_t region, or none.
bool enter(Thread& thread, RegionId region, std::uint32_t depth);
RegionId region_of(std::uintptr_t key);
std::size_t count_to_region(const char* name);
std::uint32_t region_count();
EOF
check
echo '--- parameters'
cat >lib/measure/core/planted.hpp <<'EOF'
bool enter(Thread& thread, std::uint32_t region, Ticks time);
void record_receive(MpiCall& call,
                    const std::uint32_t& comm);
EOF
check
echo '--- results'
cat >lib/measure/core/planted.hpp <<'EOF'
std::uint32_t region_at(const void* address);
inline unsigned comm_id(MPI_Comm comm) { return 0; }
EOF
check
echo "--- the summary's tree"
rm lib/measure/core/planted.hpp
cat >lib/measure/core/profile_tree.hpp <<'EOF'
void enter(Ticks time, std::uint32_t region);
void outlive_process(BlockPool& pool, std::uint32_t process, std::uint32_t thread);
std::uint64_t process_id();
EOF
check
