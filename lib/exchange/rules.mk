# rules.mk -- libtarry-exchange-ABI.so, one for each ABI of MPI whose mpi.h is installed; included by the root Makefile.
#
# They link no MPI library: the one that a launcher wants is loaded before. Its own ABI serves as well as the standard one.

EXCHANGE_LIBRARIES := $(patsubst %,$(BUILD)/lib/libtarry-exchange-%.so,$(filter-out standard,$(MPI_ABIS)))

$(BUILD)/obj/exchange-%.o: lib/exchange/mpi/mpi_transport.cpp
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -fvisibility=hidden $(MPI_CFLAGS_$*) -c $< -o $@

$(EXCHANGE_LIBRARIES): $(BUILD)/lib/libtarry-exchange-%.so: $(BUILD)/obj/exchange-%.o
	@mkdir -p $(@D)
	$(CXX) $(OPTIMISE) -shared -o $@ $<
