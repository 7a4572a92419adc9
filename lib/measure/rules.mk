# rules.mk -- the runtime inside the application; included by the root Makefile.
#
# libtarry-mpi.so is preloaded or linked. It takes the parts it needs of the other libraries and the C++ runtime along
# and shows nothing but the MPI functions and hooks; MPI itself it finds in the program. Its own functions it need not
# look for when it is loaded.

MEASURE_LIBRARIES := $(BUILD)/lib/libtarry-mpi.so $(BUILD)/lib/libtarry-heap.so $(BUILD)/lib/libtarry-measure-settings.a

MEASURE_CORE_OBJECTS := $(call object_of,$(sort $(wildcard $(patsubst %,lib/measure/%/*.cpp,core compiler user threads openmp metrics))))
MEASURE_MPI_OBJECTS  := $(call object_of,$(sort $(wildcard lib/measure/mpi/*.cpp))) $(BUILD)/obj/generated/mpi_wrappers.o
MEASURE_PARTS        := $(foreach l,archive trace defs base,$(BUILD)/lib/libtarry-$l.a)
MEASURE_GENERATED    := $(BUILD)/generated/measure/mpi

MEASURE_CFLAGS  = -fno-exceptions -fno-rtti -fvisibility=hidden -ftls-model=initial-exec -ffunction-sections -fdata-sections
# The C++ runtime, whose own handlers of exceptions do not go by the recorder's __cxa_begin_catch.
MEASURE_CXX_LIB  = $(BUILD)/lib/measure-stdc++.a
MEASURE_LDFLAGS = -shared $(if $(SAN),,-Wl,-z,defs) -static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,--exclude-libs,ALL -Wl,-z,lazy \
                  -Wl,-Bsymbolic-functions -Wl,--version-script=lib/measure/exports.map

# What the unit tests of lib/measure link: the core, and the parts of the MPI adapter that need no MPI.
MEASURE_TEST_OBJECTS = $(filter-out %/pthread_calls.o %/pomp2_adapter.o %/ompt_callbacks.o,$(MEASURE_CORE_OBJECTS))

$(MEASURE_CORE_OBJECTS): FILE_CFLAGS = $(MEASURE_CFLAGS)
$(MEASURE_MPI_OBJECTS): FILE_CFLAGS = $(MEASURE_CFLAGS) $(MPI_CFLAGS) -Wno-deprecated-declarations
$(call object_of,lib/measure/mpi/lookups_by_name.cpp): FILE_CFLAGS += -foptimize-sibling-calls -fno-sanitize=all
$(MEASURE_MPI_OBJECTS): | $(MEASURE_GENERATED)/mpi_functions.hpp

$(MEASURE_GENERATED)/mpi.i: lib/measure/rules.mk
	@mkdir -p $(@D)
	echo '#include <mpi.h>' | $(MPICXX) -DOMPI_SKIP_MPICXX=1 -E -x c++ - > $@

$(MEASURE_GENERATED)/mpi_functions.hpp: lib/measure/mpi/generate.py lib/measure/mpi/prototypes.txt $(MEASURE_GENERATED)/mpi.i
	$(PYTHON) lib/measure/mpi/generate.py lib/measure/mpi/prototypes.txt $(MEASURE_GENERATED)/mpi.i $(@D)

$(BUILD)/obj/generated/mpi_wrappers.o: $(MEASURE_GENERATED)/mpi_functions.hpp
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) $(FILE_CFLAGS) -c $(MEASURE_GENERATED)/mpi_wrappers.cpp -o $@

$(BUILD)/lib/libtarry-mpi.so: lib/measure/exports.map $(MEASURE_CORE_OBJECTS) $(MEASURE_MPI_OBJECTS) $(MEASURE_PARTS) $(MEASURE_CXX_LIB)
	@mkdir -p $(@D)
	$(CXX) $(OPTIMISE) $(MEASURE_LDFLAGS) -o $@ $(MEASURE_CORE_OBJECTS) $(MEASURE_MPI_OBJECTS) $(MEASURE_PARTS) $(MEASURE_CXX_LIB) $(Z_LIBS) -pthread -ldl

$(MEASURE_CXX_LIB):
	@mkdir -p $(@D)
	objcopy --redefine-sym __cxa_begin_catch=tarry_own_begin_catch $(shell $(CXX) -print-file-name=libstdc++.a) $@

# Stands in front of the allocator where heap counters are asked for. A compiler that knows what malloc does may make it
# call itself.
MEASURE_HEAP_OBJECTS := $(call object_of,$(sort $(wildcard lib/measure/heap/*.cpp)))
$(MEASURE_HEAP_OBJECTS): FILE_CFLAGS = $(MEASURE_CFLAGS) -fno-builtin

$(BUILD)/lib/libtarry-heap.so: $(MEASURE_HEAP_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(OPTIMISE) -shared -Wl,--gc-sections -o $@ $^ -ldl

MEASURE_SETTINGS := core/settings metrics/metric_list metrics/papi_library

$(BUILD)/lib/libtarry-measure-settings.a: $(call object_of,$(MEASURE_SETTINGS:%=lib/measure/%.cpp))
	@mkdir -p $(@D)
	@rm -f $@
	ar rcs $@ $^

# The plug-in that filters functions as GCC compiles them, for the GCC in use; where its headers are not installed there
# is none, and filters by name work at run time only.
GCC_PLUGIN_FOLDER  := $(shell $(CXX) -print-file-name=plugin)/include
GCC_PLUGIN_VERSION := $(subst .,_,$(shell $(CXX) -dumpfullversion 2>/dev/null))
ifneq ($(wildcard $(GCC_PLUGIN_FOLDER)/gcc-plugin.h),)
GCC_PLUGIN        := $(BUILD)/lib/tarry_gcc_filter_$(GCC_PLUGIN_VERSION).so
MEASURE_LIBRARIES += $(GCC_PLUGIN)
GCC_PLUGIN_OBJECT := $(BUILD)/obj/lib/measure/gcc-plugin/filter_plugin.o
# GCC's own headers use what is banned here.
$(GCC_PLUGIN_OBJECT): CXXFLAGS := $(filter-out -include lib/base/banned.hpp,$(CXXFLAGS))
$(GCC_PLUGIN_OBJECT): FILE_CFLAGS = -isystem $(GCC_PLUGIN_FOLDER) -fno-rtti -fvisibility=hidden
$(GCC_PLUGIN): $(GCC_PLUGIN_OBJECT) $(BUILD)/lib/libtarry-defs.a $(BUILD)/lib/libtarry-base.a
	@mkdir -p $(@D)
	$(CXX) $(OPTIMISE) -shared -Wl,--exclude-libs,ALL -o $@ $^
endif
