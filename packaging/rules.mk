# rules.mk -- what a build finds on this machine, and packages of what was built; included by the root Makefile.

# ---- what is missing is listed before anything is built, and not again while these remain the same --------------------

FOUND      := $(BUILD)/found.mk
FIND_FLAGS := $(CPPFLAGS) $(filter -I% -isystem% -L% --sysroot=%,$(CXXFLAGS)) -isystem $(PQ_INCLUDE)
FIND_WITH   = BUILD='$(BUILD)' CXX='$(CXX)' CPPFLAGS='$(FIND_FLAGS)' LDFLAGS='$(LDFLAGS)' AR='$(AR)' OBJCOPY='$(OBJCOPY)' \
              LD='$(LD)' STRIP='$(STRIP)' PYTHON='$(PYTHON)' MPICXX='$(or $(OPENMPI_CXX),$(MPICH_CXX),$(MPICXX))' \
              ESBUILD='$(ESBUILD)' D3='$(D3)'
FOUND_KEY  := $(strip $(CXX) $(AR) $(OBJCOPY) $(LD) $(PYTHON) $(FIND_FLAGS) $(LDFLAGS) $(CPATH) $(CPLUS_INCLUDE_PATH) \
                $(LIBRARY_PATH) $(MPI_ABIS) $(ESBUILD) $(wildcard $(D3)/d3-selection $(PQ_INCLUDE)/libpq-fe.h))

# These build nothing, or install first what is missing.
NOTHING_BUILT := help clean uninstall deps deps-% demo check check-long check-layers check-includes check-names \
                 check-format check-words
ifneq ($(filter-out $(NOTHING_BUILT),$(or $(MAKECMDGOALS),all)),)
-include $(FOUND)
ifneq ($(FOUND_FOR),$(FOUND_KEY))
ifdef MAKE_RESTARTS
$(error Nothing is built without what is needed)
endif
$(FOUND): not-the-same
endif
.PHONY: not-the-same

# make reads the file anew, and finds another key in it if something that is needed is missing.
$(FOUND): packaging/packages.tsv packaging/list-missing
	@mkdir -p $(@D)
	@! $(FIND_WITH) packaging/list-missing build || key='$(FOUND_KEY)'; echo "FOUND_FOR := $$key" >$@
endif
