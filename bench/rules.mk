# bench/rules.mk -- builds the benchmark programs and prints every figure; included by the root Makefile.

# bench/X.cpp or bench/X.c -> build/bench/X. MPI's flags only for those that include mpi.h. bench_opencl.py compiles the
# program that it measures, where OpenCL is.
BENCH_SOURCES  := $(sort $(wildcard bench/*.cpp) $(filter-out bench/opencl_kernels.c,$(wildcard bench/*.c)))
BENCH_PROGRAMS := $(patsubst bench/%,$(BUILD)/bench/%,$(basename $(BENCH_SOURCES)))
BENCH_MPI      := $(if $(BENCH_SOURCES),$(basename $(shell grep -l '^ *\# *include *<mpi\.h>' $(BENCH_SOURCES))))
BENCH_CFLAGS    = -std=gnu11 $(OPTIMISE) $(WARNINGS) -pthread -MMD -MP -Ilib

BENCH_ABI      := $(firstword $(MPI_ABIS))
$(foreach b,$(BENCH_MPI),$(eval $(BUILD)/obj/$b.o: FILE_CFLAGS = $$(MPI_CFLAGS_$(BENCH_ABI))))
$(foreach b,$(BENCH_MPI),$(eval $(BUILD)/$b: BENCH_MPI_LIBS = $$(MPI_LIBS_$(BENCH_ABI))))

# What the recorder's calls cost under the other library.
ifeq ($(MPI_ABIS),openmpi mpich)
BENCH_PROGRAMS += $(BUILD)/bench/bench_measure_path.mpich
$(BUILD)/obj/bench/bench_measure_path.mpich.o: bench/bench_measure_path.cpp
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) $(MPI_CFLAGS_mpich) -c $< -o $@
$(BUILD)/bench/bench_measure_path.mpich: BENCH_MPI_LIBS = $(MPI_LIBS_mpich)
endif

$(BUILD)/obj/bench/%.o: bench/%.c
	@mkdir -p $(@D)
	$(CC) $(BENCH_CFLAGS) $(FILE_CFLAGS) -c $< -o $@

$(BUILD)/bench/%: $(BUILD)/obj/bench/%.o $(ARCHIVES)
	@mkdir -p $(@D)
	$(CXX) $(OPTIMISE) -pthread -o $@ $(filter %.o,$^) $(LINK_LIBS) $(BENCH_MPI_LIBS) $(SYSTEM_LIBS)

# The recorder's walk over a stack.
$(BUILD)/bench/bench_call_stack: $(MEASURE_TEST_OBJECTS)

# Sources of the store are compiled together, and so need its libraries.
$(BUILD)/bench/history_steps: BENCH_MPI_LIBS = $(STORE_LIBS) -ldl

# Objects stay, or make would take them for intermediate files.
.SECONDARY: $(patsubst %,$(BUILD)/obj/%.o,$(basename $(BENCH_SOURCES)))

.PHONY: bench-programs
bench-programs: $(BENCH_PROGRAMS)

FIGURE  ?=
AGAINST ?=
REPEAT  ?=
.PHONY: bench bench-against
bench: all bench-programs $(TEST_PROGRAMS)  ## print every published figure beside its yardstick; FIGURE=NAME prints one, AGAINST=FOLDER compares tools
	@$(PYTHON) bench/run.py --build $(BUILD) --tools $(BIN) $(if $(AGAINST),--against $(AGAINST)) \
	  $(if $(REPEAT),--repeat $(REPEAT)) $(FIGURE)

bench-against: all bench-programs $(TEST_PROGRAMS)  ## figures beside those of another tree that is built, in turns: BASE=FOLDER FIGURE=NAME
	@$(PYTHON) bench/run.py --build $(BUILD) --tools $(BIN) --base $(BASE) $(if $(REPEAT),--repeat $(REPEAT)) $(FIGURE)
