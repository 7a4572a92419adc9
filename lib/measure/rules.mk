# rules.mk -- the runtime inside the application; included by the root Makefile.
#
# libtarry-mpi.so is preloaded or linked. It takes the parts it needs of the other libraries and the C++ runtime along
# and shows nothing but the MPI functions and hooks; MPI itself it finds in the program. Its own functions it need not
# look for when it is loaded.
#
# lib/measure/mpi is compiled once for each ABI of MPI whose mpi.h is installed. The objects of one ABI become a single
# one that shows nothing but the table of its wrappers, so that the same names may stand in the other one's;
# lib/measure/dispatch leads a program to the wrappers of its MPI library. With no mpi.h the recorder knows no MPI.

MEASURE_PRELOADED := $(patsubst %,$(BUILD)/lib/libtarry-preload-%.so,mpi heap io annotations perfstubs)
MEASURE_LIBRARIES := $(BUILD)/lib/libtarry-mpi.so $(BUILD)/lib/libtarry-heap.so $(BUILD)/lib/libtarry-io.so \
                     $(MEASURE_PRELOADED) $(BUILD)/lib/libtarry-measure-settings.a

# What the compiler makes code for, and the folder of lib/measure/processor for that.
MAKES_CODE_FOR := $(firstword $(subst -, ,$(shell $(CXX) -dumpmachine 2>/dev/null)))
PROCESSOR      := $(firstword $(notdir $(wildcard lib/measure/processor/$(MAKES_CODE_FOR))) other)

# What tools link, what unit tests leave out, and what has flags of its own or must stand apart.
MEASURE_SETTINGS := $(patsubst %,lib/measure/%.cpp,core/settings metrics/metric_list metrics/papi_library metrics/metric_plugin)
MEASURE_ALONE    := $(patsubst %,lib/measure/%.cpp,threads/pthread_calls dispatch/lookups_by_name start/start_with_program)
MEASURE_UNTESTED := $(filter-out $(MEASURE_ALONE),$(wildcard $(patsubst %,lib/measure/%.cpp,callpath/unloading \
                      sampling/signal_calls openmp/pomp2_adapter openmp/ompt_callbacks openmp/other_omp_tool \
                      openmp/tool_in_front openmp/target_library wrapped/real_functions wrapped/wrapped_calls \
                      processor/$(PROCESSOR)/$(PROCESSOR)_wrapped_calls io/file_calls io/file_transfers io/descriptors dispatch/* shmem/*)))

MEASURE_FOLDERS := processor/$(PROCESSOR) core compiler user wrapped threads openmp metrics dispatch shmem callpath sampling io devices calibration start
measure_sources  = $(sort $(wildcard lib/measure/$1/*.cpp))
$(call plan,measure,lib/measure/settings: $(MEASURE_SETTINGS)$(newline)lib/measure/untested: $(MEASURE_UNTESTED)$(newline)\
  $(foreach f,$(MEASURE_FOLDERS),lib/measure/$f: $(filter-out $(MEASURE_SETTINGS) $(MEASURE_ALONE) \
  $(MEASURE_UNTESTED),$(call measure_sources,$f))$(newline))\
  $(foreach a,$(MPI_ABIS),mpi-$a: $(call measure_sources,mpi)$(newline)))

MEASURE_TEST_OBJECTS := $(foreach f,settings $(MEASURE_FOLDERS),$(OBJECTS_lib/measure/$f))
MEASURE_CORE_OBJECTS := $(MEASURE_TEST_OBJECTS) $(OBJECTS_lib/measure/untested) $(call object_of,$(MEASURE_ALONE))
MEASURE_MPI_OBJECTS  := $(MPI_ABIS:%=$(BUILD)/obj/mpi-%.o)
MEASURE_PARTS        := $(foreach l,archive trace defs base,$(OBJECTS_lib/$l/runtime))
MPI_ENTRIES          := $(BUILD)/generated/abi/mpi_entry_list.hpp

MEASURE_CFLAGS  = -fno-exceptions -fno-rtti -fvisibility=hidden -ftls-model=initial-exec -ffunction-sections -fdata-sections -fno-gnu-unique \
                  -fno-tree-slp-vectorize
# The C++ runtime, whose own handlers of exceptions do not go by the recorder's __cxa_begin_catch.
MEASURE_CXX_LIB  = $(BUILD)/lib/measure-stdc++.a
MEASURE_LDFLAGS = -shared $(if $(SAN),,-Wl,-z,defs) -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,--exclude-libs,ALL -Wl,-z,lazy \
                  -Wl,-Bsymbolic-functions -Wl,--version-script=lib/measure/exports.map

# Starts a recording: behind the initialisation of everything else.
MEASURE_START   := $(call object_of,lib/measure/start/start_with_program.cpp)

# No lock but the recorder's compiles (core/no_other_locks.hpp).
MEASURE_FIRST_HEADER := lib/measure/core/no_other_locks.hpp
REPLACES_PTHREADS    := $(call object_of,lib/measure/threads/pthread_calls.cpp)

# The recorder of tests/pipeline/lock_sites.sh, which stops at each lock; made quickly, and for the MPI of that test.
MEASURE_CFLAGS += $(if $(STOP_AT_LOCKS),-DTARRY_STOP_AT_LOCKS)
LOCK_SITES := $(abspath $(BUILD))/lock-sites
.PHONY: lock-sites
lock-sites:
	@$(MAKE) --no-print-directory BUILD=$(LOCK_SITES) STOP_AT_LOCKS=1 OPTIMISE='-O1 -g1' MPI_ABIS=$(firstword $(MPI_ABIS)) \
	  $(patsubst $(BUILD)/%,$(LOCK_SITES)/%,$(MEASURE_PRELOADED) $(OPENCL_LAYER) $(CUDA_LAYER) $(ANNOTATIONS_LAYER) $(PERFSTUBS_LAYER))

$(MEASURE_CORE_OBJECTS): FILE_CFLAGS = $(MEASURE_CFLAGS)
$(MEASURE_CORE_OBJECTS): FIRST_HEADER = $(MEASURE_FIRST_HEADER)
$(REPLACES_PTHREADS): FILE_CFLAGS += -DTARRY_REPLACES_PTHREADS -Wno-array-bounds
LOOKUPS_BY_NAME := $(call object_of,lib/measure/dispatch/lookups_by_name.cpp)
# Its last call has to be a jump, however all else is compiled.
$(LOOKUPS_BY_NAME): FILE_CFLAGS += -O2 -foptimize-sibling-calls -fno-sanitize=all -fno-profile-arcs -fno-test-coverage

# One for each ABI; its generated files are found as abi/X.
generated = $(BUILD)/generated/$1/abi
mpi_objects = $(OBJECTS_mpi-$1) $(BUILD)/obj/mpi-$1/mpi_wrappers.o
ALL_MPI_OBJECTS := $(foreach a,$(MPI_ABIS),$(call mpi_objects,$a))

$(foreach a,$(MPI_ABIS),$(eval $(call mpi_objects,$a): MPI_CFLAGS = -I$(BUILD)/generated/$a $$(MPI_CFLAGS_$a)))
$(foreach a,$(MPI_ABIS),$(eval $(call mpi_objects,$a): | $(call generated,$a)/mpi_functions.hpp))
$(ALL_MPI_OBJECTS): FILE_CFLAGS = $(MEASURE_CFLAGS) $(MPI_CFLAGS) -Wno-deprecated-declarations
$(ALL_MPI_OBJECTS): FIRST_HEADER = $(MEASURE_FIRST_HEADER)

$(BUILD)/generated/%/abi/mpi.i: lib/measure/rules.mk
	@mkdir -p $(@D)
	echo '#include <mpi.h>' | $(CXX) $(MPI_CFLAGS_$*) -E -x c++ - > $@

$(addprefix $(BUILD)/generated/%/abi/,mpi_functions.hpp mpi_table.hpp mpi_wrappers.cpp): lib/measure/mpi/generate.py lib/measure/mpi/prototypes.txt $(BUILD)/generated/%/abi/mpi.i
	$(PYTHON) lib/measure/mpi/generate.py lib/measure/mpi/prototypes.txt $(@D)/mpi.i $(@D)

$(MPI_ABIS:%=$(BUILD)/obj/mpi-%/mpi_wrappers.o): $(BUILD)/obj/mpi-%/mpi_wrappers.o: $(BUILD)/generated/%/abi/mpi_functions.hpp
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) $(FILE_CFLAGS) -c $(<D)/mpi_wrappers.cpp -o $@

define apart_of_mpi
$(BUILD)/obj/mpi-$1/%.o: lib/measure/mpi/%.cpp
	@mkdir -p $$(@D)
	$$(CXX) $$(CXXFLAGS) $$(FILE_CFLAGS) -c $$< -o $$@
endef
$(foreach a,$(MPI_ABIS),$(eval $(call apart_of_mpi,$a)))

$(MEASURE_MPI_OBJECTS): $(BUILD)/obj/mpi-%.o: $$(call mpi_objects,$$*)
	$(CXX) -r -nostdlib -Wl,--force-group-allocation -o $@.all $^
	$(OBJCOPY) -G tarry_$*_wrappers $@.all $@
	@rm $@.all

$(BUILD)/obj/precompiled/measure.hpp.gch: PRECOMPILED_FLAGS = $(MEASURE_CFLAGS)
$(call precompiled,measure,$(filter-out $(LOOKUPS_BY_NAME) $(REPLACES_PTHREADS),$(MEASURE_CORE_OBJECTS)) $(ALL_MPI_OBJECTS))

# Written anew where it is built for another set of ABIs than last time.
MPI_ABIS_BUILT := $(BUILD)/generated/mpi-abis
ifdef BUILT
ifneq ($(file <$(MPI_ABIS_BUILT)),$(or $(MPI_ABIS),none))
$(shell mkdir -p $(BUILD)/generated && echo '$(or $(MPI_ABIS),none)' >$(MPI_ABIS_BUILT))
endif
endif

$(MPI_ENTRIES): lib/measure/mpi/generate.py $(MPI_ABIS_BUILT) $(MPI_ABIS:%=$(BUILD)/generated/%/abi/mpi_functions.hpp)
	$(PYTHON) lib/measure/mpi/generate.py --entries $@ $(foreach a,$(MPI_ABIS),$a=$(call generated,$a))
$(OBJECTS_lib/measure/untested): $(MPI_ENTRIES)

$(BUILD)/lib/libtarry-mpi.so: lib/measure/exports.map $(MPI_ABIS_BUILT) $(MEASURE_CORE_OBJECTS) $(MEASURE_MPI_OBJECTS) $(MEASURE_PARTS) $(MEASURE_CXX_LIB)
	@mkdir -p $(@D)
	$(CXX) $(OPTIMISE) $(MEASURE_LDFLAGS) -o $@ $(filter-out $(MEASURE_START),$(MEASURE_CORE_OBJECTS)) $(MEASURE_MPI_OBJECTS) $(MEASURE_PARTS) $(MEASURE_START) $(MEASURE_CXX_LIB) $(Z_LIBS) -pthread -ldl

$(MEASURE_CXX_LIB):
	@mkdir -p $(@D)
	$(OBJCOPY) --redefine-sym __cxa_begin_catch=tarry_own_begin_catch $(shell $(CXX) -print-file-name=libstdc++.a) $@

# Interposes the allocator where heap counters are asked for. A compiler that knows what malloc does may make it
# call itself.
MEASURE_HEAP_OBJECTS := $(call object_of,$(sort $(wildcard lib/measure/heap/*.cpp)))
$(MEASURE_HEAP_OBJECTS): FIRST_HEADER = $(MEASURE_FIRST_HEADER)
$(MEASURE_HEAP_OBJECTS): FILE_CFLAGS = $(MEASURE_CFLAGS) -fno-builtin

$(BUILD)/lib/libtarry-heap.so: $(MEASURE_HEAP_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(OPTIMISE) -shared -Wl,--gc-sections -o $@ $^ -ldl

# Interposes the functions of files where they are asked for. The C library's headers define some of them inline.
MEASURE_IO_OBJECTS := $(call object_of,$(sort $(wildcard lib/measure/io-calls/*.cpp)))
$(MEASURE_IO_OBJECTS): FIRST_HEADER = $(MEASURE_FIRST_HEADER)
$(MEASURE_IO_OBJECTS): FILE_CFLAGS = $(MEASURE_CFLAGS) -fno-builtin -U_FORTIFY_SOURCE -D__NO_INLINE__=1

$(BUILD)/lib/libtarry-io.so: $(MEASURE_IO_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(OPTIMISE) -shared -Wl,--gc-sections -o $@ $^ -ldl

# Comes between a program and the drivers of OpenCL, where their headers are installed. OpenCL's loader loads it.
OPENCL_LAYER_OBJECTS := $(call object_of,$(sort $(wildcard lib/measure/opencl-layer/*.cpp)))
$(OPENCL_LAYER_OBJECTS): FIRST_HEADER = $(MEASURE_FIRST_HEADER)
$(OPENCL_LAYER_OBJECTS): FILE_CFLAGS = $(MEASURE_CFLAGS)
ifneq ($(shell $(CXX) -include CL/cl_layer.h -fsyntax-only -x c++ /dev/null 2>/dev/null && echo yes),)
OPENCL_LAYER := $(BUILD)/lib/libtarry-opencl.so
MEASURE_LIBRARIES += $(OPENCL_LAYER)
endif

$(BUILD)/lib/libtarry-opencl.so: $(OPENCL_LAYER_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(OPTIMISE) -shared -Wl,--gc-sections -o $@ $^

# Records CUDA, where the headers of CUPTI are installed. CUDA's driver loads it, and it loads CUPTI.
# In /usr compilers look by themselves, and only in the right order.
CUPTI_FLAGS        = $(if $(filter-out /usr,$(abspath $(CUDA))),-isystem $(CUDA)/include -isystem $(CUDA)/extras/CUPTI/include)
CUDA_LAYER_OBJECTS := $(call object_of,$(sort $(wildcard lib/measure/cuda-layer/*.cpp)))
$(CUDA_LAYER_OBJECTS): FIRST_HEADER = $(MEASURE_FIRST_HEADER)
$(CUDA_LAYER_OBJECTS): FILE_CFLAGS = $(MEASURE_CFLAGS) $(CUPTI_FLAGS) -DTARRY_CUDA_FOLDER='"$(abspath $(CUDA))"'
ifneq ($(shell $(CXX) $(CUPTI_FLAGS) -include cupti.h -fsyntax-only -x c++ /dev/null 2>/dev/null && echo yes),)
CUDA_LAYER := $(BUILD)/lib/libtarry-cuda.so
MEASURE_LIBRARIES += $(CUDA_LAYER)
endif

$(BUILD)/lib/libtarry-cuda.so: $(CUDA_LAYER_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(OPTIMISE) -shared -Wl,--gc-sections -Wl,-z,nodelete $(if $(SAN),,-Wl,-z,defs) -o $@ $^ -pthread -ldl

# Hears the annotations of a program (lib/measure/annotations-layer). What is annotated loads it, or calls the functions
# that it has in front of other libraries'. PerfStubs looks for a tool of its own.
ANNOTATIONS_LAYER := $(BUILD)/lib/libtarry-annotations.so
PERFSTUBS_LAYER   := $(BUILD)/lib/libtarry-perfstubs.so
annotation_objects = $(call object_of,$(patsubst %,lib/measure/annotations-layer/%.cpp,$1))
ANNOTATIONS_LAYER_OBJECTS := $(call object_of,$(sort $(wildcard lib/measure/annotations-layer/*.cpp)))
$(ANNOTATIONS_LAYER_OBJECTS): FIRST_HEADER = $(MEASURE_FIRST_HEADER)
$(ANNOTATIONS_LAYER_OBJECTS): FILE_CFLAGS = $(MEASURE_CFLAGS)
MEASURE_LIBRARIES += $(ANNOTATIONS_LAYER) $(PERFSTUBS_LAYER)

$(ANNOTATIONS_LAYER): $(filter-out $(call annotation_objects,perfstubs),$(ANNOTATIONS_LAYER_OBJECTS))
$(PERFSTUBS_LAYER): $(call annotation_objects,perfstubs open_annotations annotation_names)
$(ANNOTATIONS_LAYER) $(PERFSTUBS_LAYER):
	@mkdir -p $(@D)
	$(CC) $(OPTIMISE) -shared -Wl,--gc-sections -Wl,-z,nodelete -o $@ $^ -pthread

# Entries in front of functions of other libraries, one library for each table. `tarry measure` makes one for a header
# with the same scripts.
ifneq ($(PROCESSOR),other)
WRAPPED_LIBRARIES := $(patsubst lib/measure/wrapped/tables/%.table,$(BUILD)/lib/libtarry-wrap-%.so,$(wildcard lib/measure/wrapped/tables/*.table))
WRAPPED_PRELOADED := $(WRAPPED_LIBRARIES:$(BUILD)/lib/libtarry-%=$(BUILD)/lib/libtarry-preload-%)
WRAPPING_SCRIPTS  := $(patsubst %,$(BUILD)/lib/%.py,wrapped_table header_table wrap_header)
MEASURE_LIBRARIES += $(WRAPPED_LIBRARIES) $(WRAPPED_PRELOADED) $(WRAPPING_SCRIPTS)
endif

$(WRAPPED_LIBRARIES): $(BUILD)/lib/libtarry-wrap-%.so: lib/measure/wrapped/tables/%.table lib/measure/wrapped/wrapped_table.py
	@mkdir -p $(@D) $(BUILD)/generated
	$(PYTHON) lib/measure/wrapped/wrapped_table.py $< $(PROCESSOR) $* > $(BUILD)/generated/wrap-$*.s
	$(CC) -shared -nostdlib -o $@ $(BUILD)/generated/wrap-$*.s

$(WRAPPING_SCRIPTS): $(BUILD)/lib/%.py: lib/measure/wrapped/%.py
	@mkdir -p $(@D)
	cp $< $@

# Plug-ins that count: examples of tarry/metric_plugin.h, in C.
METRIC_PLUGINS := $(patsubst lib/measure/plugins/%.c,$(BUILD)/lib/libtarry-metrics-%.so,$(wildcard lib/measure/plugins/*.c))
MEASURE_LIBRARIES += $(METRIC_PLUGINS)
$(METRIC_PLUGINS): $(BUILD)/lib/libtarry-metrics-%.so: lib/measure/plugins/%.c lib/measure/user/tarry/metric_plugin.h
	@mkdir -p $(@D)
	$(CC) -D_GNU_SOURCE -O2 -Wall -Wextra $(if $(CI),-Werror) -fPIC -shared -fvisibility=hidden -Ilib -o $@ $<

# What LD_PRELOAD names, one for each library. It is empty. The dynamic linker of the GNU C library reads in it that the
# library comes in its place. That of musl does not, and the program runs without a library that musl cannot load.
$(MEASURE_PRELOADED) $(WRAPPED_PRELOADED): $(BUILD)/lib/libtarry-preload-%.so: lib/measure/rules.mk | $(BUILD)/lib/libtarry-%.so
	@mkdir -p $(@D)
	$(CC) -shared -nostdlib -Wl,--auxiliary,'$$ORIGIN/libtarry-$*.so' -o $@ -x c /dev/null

$(BUILD)/lib/libtarry-measure-settings.a: $(OBJECTS_lib/measure/settings)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

# The plug-in that filters functions as GCC compiles them, for the GCC in use; where its headers are not installed there
# is none, and filters by name work at run time only. A cross compiler makes none: its headers are for itself, and the
# GCC of the machine that Tarry is built for takes no plug-in of another GCC.
GCC_PLUGIN_FOLDER  := $(shell $(CXX) -print-file-name=plugin)/include
GCC_PLUGIN_VERSION := $(subst .,_,$(shell $(CXX) -dumpfullversion 2>/dev/null))
GCC_RUNS_ON         = $(shell $(CXX) -v 2>&1 | sed -n 's/.* --host=\([^- ]*\).*/\1/p')
ifneq ($(wildcard $(GCC_PLUGIN_FOLDER)/gcc-plugin.h),)
ifeq ($(filter-out $(MAKES_CODE_FOR),$(GCC_RUNS_ON)),)
GCC_PLUGIN        := $(BUILD)/lib/tarry_gcc_filter_$(GCC_PLUGIN_VERSION).so
MEASURE_LIBRARIES += $(GCC_PLUGIN)
GCC_PLUGIN_OBJECT := $(BUILD)/obj/lib/measure/gcc-plugin/filter_plugin.o
# GCC's own headers use what is banned here.
$(GCC_PLUGIN_OBJECT): CXXFLAGS := $(filter-out -include $(FIRST_HEADER),$(CXXFLAGS))
$(GCC_PLUGIN_OBJECT): FILE_CFLAGS = -isystem $(GCC_PLUGIN_FOLDER) -fno-rtti -fvisibility=hidden
$(GCC_PLUGIN): $(GCC_PLUGIN_OBJECT) $(OBJECTS_lib/defs/runtime) $(OBJECTS_lib/base/runtime)
	@mkdir -p $(@D)
	$(CXX) $(OPTIMISE) -shared -Wl,--version-script=lib/measure/gcc-plugin/exports.map -Wl,--gc-sections -o $@ $^
endif
endif
