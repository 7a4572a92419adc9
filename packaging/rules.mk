# rules.mk -- what a build finds on this machine, and packages of what was built; included by the root Makefile.

# ---- what is missing is listed before anything is built, and not again while these remain the same --------------------

FOUND      := $(BUILD)/found.mk
FIND_FLAGS := $(CPPFLAGS) $(filter -I% -isystem% -L% --sysroot=%,$(CXXFLAGS)) -isystem $(PQ_INCLUDE)
FIND_WITH   = BUILD='$(BUILD)' CXX='$(CXX)' CPPFLAGS='$(FIND_FLAGS)' LDFLAGS='$(LDFLAGS)' AR='$(AR)' OBJCOPY='$(OBJCOPY)' \
              LD='$(LD)' STRIP='$(STRIP)' PYTHON='$(PYTHON)' MPICXX='$(or $(OPENMPI_CXX),$(MPICH_CXX),$(MPICXX))' \
              ESBUILD='$(ESBUILD)' D3='$(D3)' CUDA='$(CUDA)'
FOUND_KEY  := $(strip $(CXX) $(AR) $(OBJCOPY) $(LD) $(PYTHON) $(FIND_FLAGS) $(LDFLAGS) $(CPATH) $(CPLUS_INCLUDE_PATH) \
                $(LIBRARY_PATH) $(MPI_ABIS) $(ESBUILD) \
                $(wildcard $(D3)/d3-selection $(PQ_INCLUDE)/libpq-fe.h $(CUDA)/include/cupti.h))

-include $(FOUND)
# These build nothing, or install first what is missing.
NOTHING_BUILT := help clean compile_commands.json uninstall deps deps-% demo demo-build check check-long check-layers \
                 check-includes check-names check-format check-words
BUILT := $(filter-out $(NOTHING_BUILT),$(or $(MAKECMDGOALS),all))
ifdef BUILT
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
	@! lacking=$$($(FIND_WITH) packaging/list-missing build) || key='$(FOUND_KEY)'; \
	  printf '%s\n' "FOUND_FOR := $$key" "LACKING := $$(echo $$lacking)" >$@
endif

# ---- what is left out where it is missing ------------------------------------------------------------------------------

LEFT_OUT_SOURCES := $(if $(filter header:libpq-fe.h,$(LACKING)),lib/store/libpq_library.cpp lib/store/postgres_database.cpp,\
                      lib/store/without_postgres.cpp)

LEFT_OUT = $(if $(MPI_ABIS),,without-mpi) $(if $(HAS_EXPLORER),,without-explorer) \
           $(if $(filter header:libpq-fe.h,$(LACKING)),without-postgres)
.PHONY: without-mpi without-explorer without-postgres
without-mpi without-explorer without-postgres: | programs
without-mpi:
	@echo "Built without MPI: no mpicxx found (MPICXX=$(MPICXX))."
without-explorer:
	@echo "Built without 'tarry explore': it needs esbuild and node-d3 (ESBUILD=program, D3=folder of the modules d3-*)."
without-postgres:
	@echo "Built without stores on PostgreSQL: libpq-fe.h was not found (CPATH=folder)."

# ---- installing --------------------------------------------------------------------------------------------------------

INSTALL_WITH = BUILD='$(BUILD)' BIN='$(BIN)' PYTHON='$(PYTHON)' STRIP='$(STRIP)' LIBDIR='$(LIBDIR:$(PREFIX)/%=%)'

.PHONY: install
install: all  ## install below $(DESTDIR)$(PREFIX); LIBDIR=lib64, STRIP= leaves symbols and lines
	@$(INSTALL_WITH) bin/install-tree "$(DESTDIR)$(PREFIX)"

.PHONY: uninstall
uninstall:  ## remove what `make install` wrote there
	@bin/uninstall-tree "$(DESTDIR)$(PREFIX)"

.PHONY: deb
deb: all  ## Debian packages in $(BUILD)/deb: tarry, tarry-dev, tarry-doc
	@BUILD=$(BUILD) BIN=$(BIN) PYTHON=$(PYTHON) packaging/debian/make-deb $(BUILD)/deb

.PHONY: rpm
rpm: all  ## an RPM package in $(BUILD)/rpm, with the libraries of this system
	@BUILD=$(BUILD) PYTHON=$(PYTHON) packaging/rpm/make-rpm $(BUILD)/rpm
