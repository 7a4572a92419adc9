# tools/explore/rules.mk -- the page that `tarry explore` fills, from the modules of tools/explore/page; included by the
# root Makefile, which leaves the tool out where it lacks ESBUILD or the modules of D3.

EXPLORER_PAGE    := $(BUILD)/explore/page.html
EXPLORER_SOURCES := $(sort $(wildcard tools/explore/page/*.js))
EXPLORER_NOTICE  := tools/explore/d3_notice.txt

# What browsers of the last three years understand.
$(BUILD)/explore/page.js: $(EXPLORER_SOURCES)
	@mkdir -p $(@D)
	NODE_PATH='$(D3)' $(ESBUILD) --bundle --minify --format=iife --target=es2020 --charset=utf8 --legal-comments=none \
	  --log-level=warning --outfile=$@ tools/explore/page/main.js

# Definitions of metrics and their pictures.
$(BUILD)/explore/metric_texts.json: tools/explore/metric_texts.py docs/METRICS.md $(wildcard docs/pictures/*.svg)
	@mkdir -p $(@D)
	$(PYTHON) $< docs/METRICS.md >$@

$(EXPLORER_PAGE): tools/explore/assemble_page.py tools/explore/page/index.html tools/explore/page/style.css \
                  $(BUILD)/explore/page.js $(EXPLORER_NOTICE) $(BUILD)/explore/metric_texts.json
	$(PYTHON) tools/explore/assemble_page.py tools/explore/page $(BUILD)/explore/page.js $(EXPLORER_NOTICE) \
	  $(BUILD)/explore/metric_texts.json $@

# The bytes of the page between two symbols. `ld` makes these names of the file's.
$(BUILD)/lib/libtarry-explorer-page.a: $(EXPLORER_PAGE)
	@mkdir -p $(@D)
	cd $(<D) && $(LD) -r -b binary -z noexecstack -o page.o $(<F)
	@rm -f $@
	$(AR) rcs $@ $(<D)/page.o
