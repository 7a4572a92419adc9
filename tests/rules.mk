# tests/rules.mk -- builds the unit tests and runs the suite; included by the root Makefile.

# tests/unit/X/*_test.cpp -> build/tests/unit/X_tests, X being a library or a tool. A tool's own objects come along, its
# main aside; lib/measure names what its tests need in MEASURE_TEST_OBJECTS.
UNIT_DIRS    := $(filter-out $(if $(HAS_EXPLORER),,explore), \
                  $(sort $(patsubst tests/unit/%/,%,$(dir $(wildcard tests/unit/*/*_test.cpp)))))
UNIT_TESTS   := $(foreach d,$(UNIT_DIRS),$(BUILD)/tests/unit/$d_tests)
UNIT_LEFT_OUT := $(if $(CUDA_LAYER),,$(wildcard tests/unit/measure/cuda_*_test.cpp))
unit_objects  = $(call object_of,$(filter-out $(UNIT_LEFT_OUT),$(sort $(wildcard tests/unit/$1/*_test.cpp)))) $(if $(wildcard tools/$1),$(call tool_objects,$1)) \
                $(if $(filter measure,$1),$(MEASURE_TEST_OBJECTS) $(if $(CUDA_LAYER),$(CUDA_LAYER_OBJECTS)))

# Tests reach the files of a tool from the root: #include "tools/replay/run.hpp"; these find one another. Most of
# the time that they take to compile goes into GoogleTest and into optimising what runs once. One test looks for its lines.
TEST_HEADER  := $(BUILD)/obj/tests/test_header.hpp
TEST_FLAGS   := $(patsubst -O2,-O0 -g1,$(subst -include $(FIRST_HEADER),-include $(TEST_HEADER),$(CXXFLAGS)))
$(TEST_HEADER).gch: lib/base/banned.hpp
	@mkdir -p $(@D)
	@printf '#include "base/banned.hpp"\n#include <gtest/gtest.h>\n' >$(TEST_HEADER)
	$(CXX) $(filter-out -include $(TEST_HEADER),$(TEST_FLAGS)) -x c++-header $(TEST_HEADER) -o $@

$(call object_of,$(wildcard tests/unit/measure/cuda_*_test.cpp)): FILE_CFLAGS = $(CUPTI_FLAGS)
$(BUILD)/obj/tests/%.o: CXXFLAGS = $(TEST_FLAGS) -I. -Itools/$(word 3,$(subst /, ,$*))
$(call object_of,$(wildcard tests/unit/*/*_test.cpp tests/sync/*.cpp tests/growth/*.cpp)): | $(TEST_HEADER).gch

define unit_rule
$(BUILD)/tests/unit/$1_tests: $(call unit_objects,$1) $(ARCHIVES)
	@mkdir -p $$(@D)
	$(CXX) $(OPTIMISE) -pthread -o $$@ $$(filter %.o,$$^) $(LINK_LIBS) -lgtest_main -lgtest \
	  $(call TOOL_STORE_LIBS,$1) $(SYSTEM_LIBS)
endef
$(foreach d,$(UNIT_DIRS),$(eval $(call unit_rule,$d)))

# tests/fuzz/X.cpp -> build/fuzz/X: readers and the analysis, always under sanitizers. Each library is compiled in one
# go and without optimisation, which takes a third of the time.
FUZZ_FLAGS    = $(filter-out -O% -g% -fsanitize=%,$(CXXFLAGS)) -I. -Itools/replay -Itools/predict -O0 -g1 \
                -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -Wno-subobject-linkage
FUZZ_PROGRAMS := changed_archives changed_reports damaged_traces
FUZZ_PARTS    := base defs trace archive report exchange replay analysis findings prediction
FUZZ_DRIVERS  := $(FUZZ_PROGRAMS:%=$(BUILD)/fuzz/%)
FUZZ_OBJECTS  := $(patsubst %,$(BUILD)/fuzz/obj/%.o,driver tool $(FUZZ_PARTS))

fuzz_sources = $(or $(FUZZ_SOURCES_$1),$(call library_sources,$1))
FUZZ_SOURCES_tool   := $(filter-out %/main.cpp,$(sort $(wildcard tools/replay/*.cpp tools/predict/*.cpp)))
FUZZ_SOURCES_driver := $(filter-out $(FUZZ_PROGRAMS:%=tests/fuzz/%.cpp),$(sort $(wildcard tests/fuzz/*.cpp)))

$(FUZZ_OBJECTS): $(BUILD)/fuzz/obj/%.o: $$(call fuzz_sources,$$*)
	@mkdir -p $(@D)
	@printf '#include "%s"\n' $(call fuzz_sources,$*) >$(@:.o=.cpp)
	$(CXX) $(FUZZ_FLAGS) -c $(@:.o=.cpp) -o $@

$(FUZZ_DRIVERS): $(BUILD)/fuzz/%: tests/fuzz/%.cpp $(FUZZ_OBJECTS)
	$(CXX) $(FUZZ_FLAGS) -o $@ $< $(FUZZ_OBJECTS) $(OTF2_LIBS) $(XML_LIBS) $(Z_LIBS) $(RE_LIBS) $(LDFLAGS)

.PHONY: fuzz-drivers
fuzz-drivers: $(FUZZ_DRIVERS)

-include $(wildcard $(BUILD)/fuzz/*.d $(BUILD)/fuzz/obj/*.d)

# tests/{sync,growth}/X.cpp -> build/tests/{sync,growth}/X: programs that tests of whole pipelines need.
TEST_PROGRAMS := $(patsubst tests/%.cpp,$(BUILD)/tests/%,$(wildcard tests/sync/*.cpp tests/growth/*.cpp))

$(TEST_PROGRAMS): $(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(ARCHIVES)
	@mkdir -p $(@D)
	$(CXX) $(OPTIMISE) -pthread -o $@ $< $(LINK_LIBS) $(SYSTEM_LIBS)

# Traces that take more memory than a test of --memory allows (tests/pipeline/replay_memory.sh).
TEST_PROGRAMS += $(BUILD)/bench/make_trace $(BUILD)/bench/make_reports

# With sanitizers the tools lie elsewhere, and the front door must lie beside them.
ifneq ($(BIN),bin)
FRONT_DOOR := $(BIN)/tarry
$(FRONT_DOOR): bin/tarry
	@install -D -m 755 $< $@
endif

ONLY ?=
RUN_TESTS = MPICC="$(MPICC)" $(PYTHON) tests/run_tests.py --build $(BUILD) --tools $(BIN) $(if $(SAN),--sanitized) \
            $(if $(LONG),--long) $(if $(SECOND_TRY),--second-try) $(if $(PATIENCE),--patience $(PATIENCE)) \
            $(if $(MPI),--mpi $(MPI)) $(if $(ONLY),--only '$(ONLY)')

.PHONY: unit-tests
unit-tests: $(UNIT_TESTS) $(TEST_PROGRAMS)  ## build the unit tests, build/tests/unit/X_tests

.PHONY: run-tests
FUZZ = $(filter $(ONLY)%,pipeline/fuzz pipeline/fuzz_10000 pipeline/explorer_damaged pipeline/explorer_damaged_300)
LOCK_TESTS = $(if $(SAN),,$(filter $(ONLY)%,pipeline/lock_sites pipeline/lock_sites_long))
run-tests: all unit-tests $(if $(FUZZ),fuzz-drivers) $(if $(LOCK_TESTS),lock-sites) $(FRONT_DOOR)  ## run the tests; ONLY=cli/cube some, LONG=1 more, MPI=mpich, SECOND_TRY=1, PATIENCE=5 longer limits
	@$(RUN_TESTS)

.PHONY: check-quick
check-quick: all unit-tests $(FRONT_DOOR)  ## build what changed, run the unit tests and the tables of command lines: a minute
	@$(RUN_TESTS) --quick

.PHONY: update-golden
update-golden: all $(FRONT_DOOR)  ## rewrite the expected output of tests/cli (ONLY= as above); read the diff
	@$(RUN_TESTS) --update --only '$(or $(ONLY),cli)'

.PHONY: check-words
check-words:  ## fail if a document or C++ source uses private words or long sentences, or names what is not there
	@$(PYTHON) tests/check_words.py
	@$(PYTHON) tests/check_words.py --code
	@$(PYTHON) tests/check_references.py
