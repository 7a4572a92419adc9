# tests/rules.mk -- builds the unit tests and runs the suite; included by the root Makefile.

# tests/unit/X/*_test.cpp -> build/tests/unit/X_tests, X being a library or a tool. A tool's own objects come along, its
# main aside; lib/measure names what its tests need in MEASURE_TEST_OBJECTS.
UNIT_DIRS    := $(sort $(patsubst tests/unit/%/,%,$(dir $(wildcard tests/unit/*/*_test.cpp))))
UNIT_TESTS   := $(foreach d,$(UNIT_DIRS),$(BUILD)/tests/unit/$d_tests)
unit_objects  = $(call object_of,$(sort $(wildcard tests/unit/$1/*_test.cpp)) \
                  $(filter-out %/main.cpp,$(sort $(wildcard tools/$1/*.cpp) $(wildcard tools/$1/*/*.cpp)))) \
                $(if $(filter measure,$1),$(MEASURE_TEST_OBJECTS))
unit_mpi_libs = $(if $(filter replay trace-sync,$1),$(MPI_LIBS))

# Tests reach the files of a tool from the root: #include "tools/replay/catalogue.hpp"; these find one another.
$(BUILD)/obj/tests/%.o: CXXFLAGS += -I. -Itools/$(word 3,$(subst /, ,$*))

define unit_rule
$(BUILD)/tests/unit/$1_tests: $(call unit_objects,$1) $(ARCHIVES)
	@mkdir -p $$(@D)
	$(CXX) $(OPTIMISE) -pthread -o $$@ $$(filter %.o,$$^) $(LINK_LIBS) -lgtest_main -lgtest $(call unit_mpi_libs,$1) \
	  $(OTF2_LIBS) $(XML_LIBS) $(Z_LIBS) $(LDFLAGS)
endef
$(foreach d,$(UNIT_DIRS),$(eval $(call unit_rule,$d)))

# tests/fuzz/X.cpp -> build/fuzz/san/fuzz/X: readers and the analysis, always under sanitizers. A make of its own builds
# them, without optimisation, since that takes a third of the time.
FUZZ_SAN      := address,undefined
FUZZ_OPTIMISE := -O0 -g1 -fsanitize=$(FUZZ_SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer
FUZZ_PROGRAMS := archive traces
FUZZ_SHARED   := $(filter-out $(FUZZ_PROGRAMS:%=tests/fuzz/%.cpp),$(sort $(wildcard tests/fuzz/*.cpp))) \
                 $(filter-out %/main.cpp,$(sort $(wildcard tools/replay/*.cpp) $(wildcard tools/replay/*/*.cpp)))
FUZZ_DRIVERS  := $(FUZZ_PROGRAMS:%=$(BUILD)/fuzz/%)

$(BUILD)/obj/tests/fuzz/%.o: CXXFLAGS += -Itools/replay

$(FUZZ_DRIVERS): $(BUILD)/fuzz/%: $(BUILD)/obj/tests/fuzz/%.o $(call object_of,$(FUZZ_SHARED)) $(ARCHIVES)
	@mkdir -p $(@D)
	$(CXX) $(OPTIMISE) -pthread -o $@ $(filter %.o,$^) $(LINK_LIBS) $(MPI_LIBS) $(OTF2_LIBS) $(XML_LIBS) $(Z_LIBS) $(LDFLAGS)

.PHONY: fuzz-drivers
ifeq ($(SAN),)
fuzz-drivers:
	@$(MAKE) --no-print-directory SAN=$(FUZZ_SAN) OPTIMISE="$(FUZZ_OPTIMISE)" BUILD=$(BUILD)/fuzz fuzz-drivers
else
fuzz-drivers: $(FUZZ_DRIVERS)
endif

# With sanitizers the tools lie elsewhere, and the front door must lie beside them.
ifneq ($(BIN),bin)
FRONT_DOOR := $(BIN)/tarry
$(FRONT_DOOR): bin/tarry
	@install -D -m 755 $< $@
endif

ONLY ?=
RUN_TESTS = MPICC="$(MPICC)" $(PYTHON) tests/run_tests.py --build $(BUILD) --tools $(BIN) $(if $(SAN),--sanitized) \
            $(if $(LONG),--long) $(if $(ONLY),--only '$(ONLY)')

.PHONY: unit-tests
unit-tests: $(UNIT_TESTS)

.PHONY: run-tests
run-tests: all unit-tests fuzz-drivers $(FRONT_DOOR)  ## run the tests; ONLY=cli/cube runs one or a folder of them, LONG=1 more
	@$(RUN_TESTS)

.PHONY: update-golden
update-golden: all $(FRONT_DOOR)  ## rewrite the expected output of tests/cli (ONLY= as above); read the diff
	@$(RUN_TESTS) --update --only '$(or $(ONLY),cli)'
