# Makefile -- builds, tests, measures and installs Tarry. `make help` lists the targets.

PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
DESTDIR ?=
CC      ?= cc
CXX     ?= g++
MPICC   ?= mpicc
MPICXX  ?= mpicxx
PYTHON  ?= python3
OBJCOPY ?= objcopy
STRIP   ?= strip
BUILD   ?= build
SAN     ?=
COVERAGE ?=
ESBUILD ?= esbuild
D3      ?= /usr/share/nodejs
CUDA    ?= /usr/local/cuda
VERSION := $(shell sed -n 's/^version=//p' bin/tarry)

# The libraries that there are, lowest first; lib/layers.txt says who may include whom.
LAYERS := $(foreach l,$(shell sed -n 's/^\([a-z]*\):.*/\1/p' lib/layers.txt),$(if $(wildcard lib/$l),$l))

# Two other builds: with sanitizers in $(BUILD)/san, and one that counts which lines are run in $(BUILD)/coverage. Lines for
# a debugger take a tenth of the time to build: OPTIMISE='-O2 -g' adds them.
VARIANT  := $(if $(SAN),san)$(if $(COVERAGE),coverage)
OPTIMISE := $(if $(SAN),-O1 -g -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer, \
              $(if $(COVERAGE),-O1 -fno-inline -g1 -fprofile-arcs -ftest-coverage,-O2))
# Some warnings that are switched off are GCC's alone. clang has to be allowed the table of functions (RegionMap), and warns
# of what GCC's library uses itself.
CLANG_FLAGS := -Wno-unknown-warning-option -Wno-deprecated-declarations -fconstexpr-steps=10000000
WARNINGS := -Wall -Wextra $(if $(CI),-Werror) -Winvalid-pch $(if $(findstring clang,$(CXX)),$(CLANG_FLAGS))
override BUILD := $(BUILD)$(VARIANT:%=/%)
BIN      := $(if $(VARIANT),$(BUILD)/bin,bin)
CXXFLAGS += -std=c++20 $(OPTIMISE) $(WARNINGS) -fPIC -pthread -MMD -MP -Ilib -I$(BUILD)/generated \
            -DTARRY_VERSION='"$(VERSION)"' -include $(FIRST_HEADER)
FIRST_HEADER = lib/base/banned.hpp

# The MPI libraries that are installed, told apart by what their compiler wrappers can be asked.
OPENMPI_CXX := $(shell for c in $(MPICXX) mpicxx.openmpi; do $$c --showme:compile >/dev/null 2>&1 && echo $$c && break; done)
MPICH_CXX   := $(shell for c in $(MPICXX) mpicxx.mpich; do \
                 ! $$c --showme:compile >/dev/null 2>&1 && $$c -show >/dev/null 2>&1 && echo $$c && break; done)
# The mpi.h of the standard ABI, which MPICH 5 and Open MPI 6 have besides their own.
include_folders = $(patsubst -I%,%,$(filter -I%,$1))
STANDARD_MPI_H := $(shell grep -lE 'define +MPI_ABI_VERSION +1$$' 2>/dev/null \
  $(if $(MPICH_CXX),$(addsuffix /mpi_abi.h,$(call include_folders,$(shell $(MPICH_CXX) -show)))) \
  $(if $(OPENMPI_CXX),$(addsuffix /standard_abi/mpi.h,$(call include_folders,$(shell $(OPENMPI_CXX) --showme:compile)))) \
  /dev/null | head -n 1)
MPI_ABIS    := $(strip $(if $(OPENMPI_CXX),openmpi) $(if $(MPICH_CXX),mpich) $(if $(STANDARD_MPI_H),standard))
MPI_CFLAGS_openmpi = $(eval MPI_CFLAGS_openmpi := $(shell $(OPENMPI_CXX) --showme:compile) -DOMPI_SKIP_MPICXX=1)$(MPI_CFLAGS_openmpi)
MPI_CFLAGS_mpich   = $(eval MPI_CFLAGS_mpich := $(filter -I% -D%,$(shell $(MPICH_CXX) -show)) -DMPICH_SKIP_MPICXX=1)$(MPI_CFLAGS_mpich)
MPI_CFLAGS_standard = -DMPI_ABI=1 -I$(dir $(STANDARD_MPI_H))

# MPI's flags are given only to the files that may include mpi.h, its libraries only to benchmarks.
MPI_LIBS_openmpi   = $(eval MPI_LIBS_openmpi := $(shell $(OPENMPI_CXX) --showme:link))$(MPI_LIBS_openmpi)
MPI_LIBS_mpich     = $(eval MPI_LIBS_mpich := $(filter -L% -l%,$(shell $(MPICH_CXX) -show)))$(MPI_LIBS_mpich)

# Where the other libraries come from. Of some, the static one is preferred, if the compiler finds it.
static_or_shared = $(if $(filter /%,$(shell $(CXX) $(LDFLAGS) -print-file-name=lib$1.a)),-l:lib$1.a,-l$1)
OTF2_LIBS  = -lotf2
XML_LIBS   = -ltinyxml2
Z_LIBS    := -lz $(call static_or_shared,deflate)
RE_LIBS    = -lre2
DW_LIBS    = -ldw
# PostgreSQL's client library is loaded when it is needed; only its header is needed here.
STORE_LIBS := -lsqlite3 $(call static_or_shared,crypto)
PQ_INCLUDE := $(firstword $(wildcard /usr/include/postgresql) $(shell pg_config --includedir 2>/dev/null) /usr/include)
# Replay keeps many small arrays for each process of the trace; sanitizers bring an allocator of their own.
MALLOC_LIBS := $(if $(SAN),,$(call static_or_shared,jemalloc) -ldl -lm)

# An edit is linked into twenty programs: gold takes half as long as the usual linker.
FAST_LINKER := $(if $(SAN),,$(if $(findstring gold,$(shell $(CXX) -fuse-ld=gold -Wl,--version 2>/dev/null)),-fuse-ld=gold))

.DEFAULT_GOAL := all
-include packaging/rules.mk
.SUFFIXES:
.DELETE_ON_ERROR:

# ---- batches: some sources are compiled in one go, as most of the time of a small one goes into its headers -----------
#
# So names of local functions are unique within a library or tool. Whoever links a batch leaves out the functions that
# it does not call. BATCH=0 compiles each source by itself, as sanitizer builds do: they see what a file forgets to
# include.

BATCH       := $(if $(SAN),0,160000)
SECTIONS    := -ffunction-sections -fdata-sections
BATCH_FLAGS := $(SECTIONS) -Wno-subobject-linkage -I.

define newline


endef

# Defines OBJECTS_UNIT for each line `UNIT: source...` of $2, by the name $1.
plan = $(shell mkdir -p $(BUILD)/batch)$(file >$(BUILD)/batch/$1.units,$2)$(shell command -v $(PYTHON) >/dev/null && \
         $(PYTHON) bin/plan-batches $(BUILD)/batch/$1 $(BATCH) <$(BUILD)/batch/$1.units >$(BUILD)/batch/$1.mk)$(eval -include $(BUILD)/batch/$1.mk)
object_of = $(patsubst %.cpp,$(BUILD)/obj/%.o,$1)

$(BUILD)/batch/%.o: $(BUILD)/batch/%.cpp
	$(CXX) $(CXXFLAGS) $(BATCH_FLAGS) $(FILE_CFLAGS) -c $< -o $@

# A file of a library that was edited is compiled alone: who links it leaves out the same.
$(BUILD)/obj/lib/%.o: FILE_SECTIONS = $(SECTIONS)
$(BUILD)/obj/%.o: %.cpp
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) $(FILE_SECTIONS) $(FILE_CFLAGS) -c $< -o $@

# ---- precompiled headers: lib/X/precompiled.hpp -> build/obj/precompiled/X.hpp.gch, X-quick.hpp.gch ------------------
#
# They only save time: a file includes what it needs all the same, and sanitizer builds, which go without, see that. How
# code is made (-O1 or -O2) must be the same in the header and in the files.

# What ccache has to be told, or it leaves alone whatever uses such a header. The header itself must not come from its
# cache: `#pragma once` compares the times of files, which differ between two trees.
export CCACHE_SLOPPINESS ?= pch_defines,time_macros

.SECONDEXPANSION:
$(BUILD)/obj/precompiled/%.hpp.gch: lib/$$(firstword $$(subst -, ,$$*))/precompiled.hpp
	@mkdir -p $(@D)
	@printf '#include "$(<:lib/%=%)"\n' >$(@:.gch=)
	CCACHE_DISABLE=1 $(CXX) $(filter-out -include $(FIRST_HEADER),$(CXXFLAGS)) $(PRECOMPILED_FLAGS) -x c++-header $(@:.gch=) -o $@

# $1: the header that the objects $2 start with. With such a header GCC 12 shows false warnings of the standard
# library that it suppresses otherwise.
define use_precompiled
$2: FIRST_HEADER = $(BUILD)/obj/precompiled/$1.hpp
$2: CXXFLAGS += -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread
$2: $(BUILD)/obj/precompiled/$1.hpp.gch
endef
precompiled = $(if $(SAN),,$(eval $(call use_precompiled,$1,$2)))

# ---- libraries: lib/X/**/*.cpp -> build/lib/libtarry-X.a (lib/measure and lib/exchange/mpi have rules of their own) ----

LIBRARIES      := $(filter-out measure,$(LAYERS))
ARCHIVES       := $(LIBRARIES:%=$(BUILD)/lib/libtarry-%.a)
library_sources = $(sort $(filter-out lib/exchange/mpi/% $(LEFT_OUT_SOURCES),$(wildcard lib/$1/*.cpp) $(wildcard lib/$1/*/*.cpp)))

# What is busy with events or the values of reports, in libraries of which the rest is not.
BUSY_trace    := $(patsubst %,lib/trace/otf2/otf2_%.cpp,event_writer events records sink source)
BUSY_archive  := $(wildcard lib/archive/reading/location_*.cpp)
BUSY_report   := $(wildcard $(patsubst %,lib/report/%.cpp,algebra/algebra algebra/cube_* cubex/cubex_*))
BUSY_analysis := $(wildcard $(patsubst %,lib/analysis/%/*.cpp,critical_path delay sync_points waits))
BUSY_prediction := $(wildcard lib/prediction/simulation/*.cpp)

# What is compiled otherwise, or needs a library that not all tools link.
APART_base  := $(wildcard lib/base/tool/cli*.cpp)
APART_trace := $(filter-out $(BUSY_trace),$(wildcard lib/trace/otf2/*.cpp))

# What goes into the application. The runtime links these objects and no others: a constructor of another file in the
# same batch would run in the application, too.
RUNTIME_base    := $(patsubst %,lib/base/%.cpp,bytes/crc32 files/file files/input_file files/owned_file files/temporary_file \
                     processes/ancestors processes/launched_process processes/launcher_job processes/launchers \
                     text/glob text/printable text/text text/utf8 tool/closest)
RUNTIME_defs    := $(patsubst %,lib/defs/%.cpp,code_places debug_files definition_codec host_facts jitdump perf_map \
                     piece_reader processor_use region_filter run_time_code sequence sequence_codec)
RUNTIME_trace   := $(patsubst %,lib/trace/%.cpp,chunk container event event_codec)
RUNTIME_archive := lib/archive/profile/profile_codec.cpp

# ---- tools: tools/X/*.cpp -> bin/tarry-Y -----------------------------------------------------------------------------

# The page of `tarry explore` is put together by esbuild, of modules of D3.
HAS_EXPLORER := $(if $(wildcard $(D3)/d3-selection/package.json),$(shell command -v $(ESBUILD) 2>/dev/null))
TOOL_DIRS    := $(filter-out $(if $(HAS_EXPLORER),,explore),$(patsubst tools/%/main.cpp,%,$(wildcard tools/*/main.cpp)))

# Three are called otherwise than their folders.
FOLDER_sync  := trace-sync
FOLDER_merge := trace-merge
FOLDER_cube  := cube-ops
tool_folder   = $(or $(FOLDER_$1),$1)
TOOL_NAMES   := $(filter-out trace-sync trace-merge cube-ops,$(TOOL_DIRS)) sync merge cube
TOOLS        := $(TOOL_NAMES:%=$(BIN)/tarry-%)

# The main programs stand apart: unit tests have their own.
tool_sources = $(filter-out %/main.cpp,$(sort $(wildcard tools/$1/*.cpp) $(wildcard tools/$1/*/*.cpp)))

# ---- what is compiled in one go --------------------------------------------------------------------------------------

$(call plan,tools,$(foreach l,$(LIBRARIES),\
  lib/$l: $(filter-out $(APART_$l) $(BUSY_$l) $(RUNTIME_$l),$(call library_sources,$l))$(newline)\
  lib/$l/apart: $(APART_$l)$(newline)lib/$l/busy: $(BUSY_$l)$(newline)lib/$l/runtime: $(RUNTIME_$l)$(newline))\
  $(foreach t,$(TOOL_DIRS),tools/$t: $(call tool_sources,$t)$(newline)))

library_objects = $(OBJECTS_lib/$1) $(foreach part,apart busy runtime,$(OBJECTS_lib/$1/$(part)))
tool_objects    = $(OBJECTS_tools/$1)

$(ARCHIVES): $(BUILD)/lib/libtarry-%.a: $$(call library_objects,$$*)
	@mkdir -p $(@D)
	@rm -f $@
	$(AR) rcs $@ $^

# Tools that open a store, and unit tests of these names.
STORE_TOOLS := cube-ops explore history page scale scaling store

# Libraries of a tool, from its line in lib/layers.txt, each in front of those it needs.
reverse        = $(if $1,$(call reverse,$(wordlist 2,$(words $1),$1)) $(firstword $1))
LINK_LIBS      = $(patsubst %,$(BUILD)/lib/libtarry-%.a,$(call reverse,$(LIBRARIES)))
tool_libraries = $(patsubst %,$(BUILD)/lib/libtarry-%.a,$(call reverse,$(filter $(subst /, ,$(LINKS_$1)),$(LIBRARIES))))
$(foreach t,$(shell sed -n '/^tools/{s,^tools/,,;s,: ,:=,;s, ,/,g;p}' lib/layers.txt),$(eval LINKS_$t))
# `tarry measure` explains the settings of the runtime.
TOOL_PARTS = $(if $(filter measure,$1),$(BUILD)/lib/libtarry-measure-settings.a) \
             $(if $(filter explore,$1),$(BUILD)/lib/libtarry-explorer-page.a)
TOOL_STORE_LIBS  = $(if $(filter $1,$(STORE_TOOLS)),$(STORE_LIBS) -ldl)
TOOL_MALLOC_LIBS = $(if $(filter explore predict replay trace-sync,$1),$(MALLOC_LIBS))
SYSTEM_LIBS      = $(FAST_LINKER) $(OTF2_LIBS) $(XML_LIBS) $(Z_LIBS) $(RE_LIBS) $(LDFLAGS)

tool_needs = $(call object_of,tools/$1/main.cpp) $(call tool_objects,$1) $(call TOOL_PARTS,$1) $(call tool_libraries,$1)
$(TOOLS): $(BIN)/tarry-%: $$(call tool_needs,$$(call tool_folder,$$*))
	@mkdir -p $(@D)
	$(CXX) $(OPTIMISE) -pthread -Wl,--gc-sections -o $@ $^ $(call TOOL_MALLOC_LIBS,$(call tool_folder,$*)) \
	  $(call TOOL_STORE_LIBS,$(call tool_folder,$*)) $(SYSTEM_LIBS)
$(foreach t,$(TOOL_DIRS),$(eval $(call object_of,tools/$t/main.cpp) $(call tool_objects,$t): CXXFLAGS += -Itools/$t))

# What is not busy (BUSY_X) is compiled quickly rather than well: most tools are done before one notices.
QUICK_TOOLS     := archive cube-ops history instrument measure report scale score store unify
QUICK_LIBRARIES := analysis archive defs efficiency findings prediction report scaling score store summary
QUICK_OBJECTS   := $(OBJECTS_lib/base/apart) $(OBJECTS_lib/trace/apart) $(call object_of,$(TOOL_DIRS:%=tools/%/main.cpp)) \
                   $(foreach t,$(QUICK_TOOLS),$(call tool_objects,$t)) $(foreach l,$(QUICK_LIBRARIES),$(OBJECTS_lib/$l))
QUICK_FLAGS     := $(if $(VARIANT),,-Og)
$(QUICK_OBJECTS): FILE_CFLAGS = $(QUICK_FLAGS)
$(OBJECTS_lib/store): FILE_CFLAGS += -isystem $(PQ_INCLUDE)
$(BUILD)/obj/precompiled/base-quick.hpp.gch: PRECOMPILED_FLAGS = $(QUICK_FLAGS)
$(call precompiled,base-quick,$(QUICK_OBJECTS))
$(call precompiled,base,$(filter-out $(QUICK_OBJECTS),$(foreach t,$(TOOL_DIRS),$(call tool_objects,$t)) \
  $(foreach l,$(LIBRARIES),$(call library_objects,$l))))

-include tools/explore/rules.mk
-include lib/exchange/rules.mk
-include lib/measure/rules.mk
-include tests/rules.mk
-include bench/rules.mk
-include docs/pictures/rules.mk

.PHONY: all
all: programs $(LEFT_OUT)  ## build everything

.PHONY: programs
programs: $(TOOLS) $(EXCHANGE_LIBRARIES) $(MEASURE_LIBRARIES)

# ---- checks of the tree ----------------------------------------------------------------------------------------------

.PHONY: check-layers
check-layers:  ## fail if a file includes what its layer must not, or has a number for an id or a field of an event
	@$(PYTHON) tests/check_layers.py
	@$(PYTHON) tests/check_ids.py
	@$(PYTHON) tests/check_fields.py
	@$(PYTHON) tests/check_schema.py

.PHONY: check-includes
check-includes:  ## fail if a file includes no header of the standard library for a name that it uses
	@$(PYTHON) tests/check_includes.py

.PHONY: check-headers
check-headers: $(MPI_ENTRIES)  ## fail if a header does not compile by itself; takes minutes the first time
	@$(PYTHON) tests/check_headers.py --build $(BUILD) --cxx "$(CXX) -isystem $(PQ_INCLUDE)" \
	  --mpi "$(foreach a,$(firstword $(MPI_ABIS)),-I$(BUILD)/generated/$a $(MPI_CFLAGS_$a))" \
	  --cupti "$(if $(CUDA_LAYER),$(CUPTI_FLAGS))"

.PHONY: check-calls
check-calls: $(BUILD)/lib/libtarry-mpi.so  ## fail if a function of the recorder calls what must not run where it runs
	@$(PYTHON) tests/check_calls.py --build $(BUILD)

.PHONY: check-names
check-names:  ## fail if a name that is local to a C++ file can take the place of another file's
	@$(PYTHON) tests/check_names.py

.PHONY: check-format
check-format:  ## fail if a file is not laid out as .clang-format says
	@$(PYTHON) tests/check_format.py

.PHONY: deps
deps:  ## install the Debian packages that building, testing and measuring need
	@$(FIND_WITH) bin/install-packages build test
	@BUILD=$(BUILD) tests/offload_compiler --unpack

.PHONY: deps-long
deps-long: deps  ## and what the long tests need: Slurm, of which nothing is started
	@$(FIND_WITH) bin/install-packages long

.PHONY: deps-real
deps-real: deps  ## and the programs of other people that `make check-real` measures
	@$(PYTHON) tests/real/run_real.py --install $(PROGRAM)

.PHONY: deps-develop
deps-develop: deps  ## and what `make tidy` needs
	@$(FIND_WITH) bin/install-packages develop

.PHONY: deps-demo
deps-demo:
	@$(FIND_WITH) bin/install-packages build

CHECKS = check-layers check-includes check-calls check-names check-words check-format

# `make demo` and `make check` use all cores unless told how many.
ALL_CORES = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

# With the recorder of the MPI library that the demo uses. If one for more libraries has been built, it stays.
DEMO_ABIS      = $(or $(if $(wildcard $(BUILD)/lib/libtarry-mpi.so),$(filter $(MPI_ABIS),$(file <$(MPI_ABIS_BUILT)))),$(if $(filter $(MPICXX),$(MPICH_CXX)),mpich,$(firstword $(MPI_ABIS))))
DEMO_PROGRAMS  = demo-programs MPI_ABIS='$(DEMO_ABIS)'

.PHONY: demo
demo: deps-demo  ## measure a bundled program on 8 ranks, replay it, print the findings
	@$(MAKE) --no-print-directory -q $(DEMO_PROGRAMS) 2>/dev/null || echo "Building the recorder and three tools; this takes a minute and a half on two cores."
	@$(MAKE) --no-print-directory demo-build
	@tests/apps/demo.sh

.PHONY: demo-build
demo-build:
	@$(MAKE) --no-print-directory $(ALL_CORES) -s $(DEMO_PROGRAMS)

.PHONY: demo-programs
demo-programs: $(patsubst %,$(BIN)/tarry-%,measure replay report) $(BUILD)/lib/libtarry-mpi.so $(BUILD)/lib/libtarry-preload-mpi.so \
               $(EXCHANGE_LIBRARIES)

.PHONY: check
check: deps  ## set up, build and run the whole test suite
	@$(MAKE) --no-print-directory $(ALL_CORES) all unit-tests $(CHECKS)
	@$(MAKE) --no-print-directory $(ALL_CORES) run-tests

.PHONY: check-long
check-long: deps-long  ## the same and the tests that take an hour
	@$(MAKE) --no-print-directory $(ALL_CORES) all unit-tests bench-programs $(CHECKS) check-headers
	@$(MAKE) --no-print-directory $(ALL_CORES) run-tests LONG=1
	@$(MAKE) --no-print-directory check-real

.PHONY: check-real
check-real: all  ## measure programs of other people; PROGRAM="hpcc h5py" some, TABLE=docs/REAL_PROGRAMS.md writes the table
	@$(PYTHON) tests/real/run_real.py --tools $(BIN) --work $(BUILD)/real $(if $(TABLE),--table $(TABLE)) $(PROGRAM)

.PHONY: coverage
coverage: deps  ## how much of lib/ the tests run, in lines and branches; each file below 90 % of its lines; ONLY=unit some tests
	@$(MAKE) --no-print-directory $(ALL_CORES) COVERAGE=1 all unit-tests
	@find $(BUILD)/coverage -name '*.gcda' -delete
	@$(MAKE) --no-print-directory $(ALL_CORES) COVERAGE=1 run-tests || echo "The lines of tests that fail count, too."
	@$(PYTHON) tests/list_coverage.py $(BUILD)/coverage

# clang before 16 does not read the ranges of GCC's library.
CLANG_TIDY ?= $(firstword $(foreach c,$(wildcard $(patsubst %,/usr/bin/clang-tidy-%,22 21 20 19 18 17 16)),$(notdir $c)) clang-tidy)
FILES      ?=
.PHONY: tidy
tidy: deps-develop compile_commands.json $(MPI_ENTRIES)  ## what clang-tidy 16 or later finds by .clang-tidy; FILES="lib/base/text/csv.cpp" some: all take an hour
	@printf '%s\n' $(or $(FILES),$$(sed -n 's,^ *"file": "\(\(lib\|tools\)/.*\.cpp\)".*,\1,p' compile_commands.json)) | \
	  xargs -P $(shell nproc) -n 1 $(CLANG_TIDY) -p . --quiet

.PHONY: compile_commands.json
compile_commands.json:  ## how each source is compiled, for clangd
	@bin/compile-commands $(BUILD) "$(CLANG_FLAGS)" CXX="$(CXX)"

.PHONY: clean
clean:  ## remove everything that was built
	rm -rf $(BUILD) $(TOOLS)

.PHONY: help
help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z_.-]+:.*## /{printf "  make %-21s %s\n", $$1, $$2}' $(filter Makefile %.mk,$(MAKEFILE_LIST))
	@echo "  variables: PREFIX DESTDIR LIBDIR CXX MPICC MPICXX AR OBJCOPY LD STRIP SAN=address,undefined CI=1 (warnings are errors) ESBUILD D3 CUDA"

-include $(shell find $(BUILD)/obj $(BUILD)/batch -name '*.d' 2>/dev/null)
