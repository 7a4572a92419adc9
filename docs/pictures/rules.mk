# docs/pictures/rules.mk -- draws the pictures of docs/; included by the root Makefile.

PICTURE_TRACES := $(BUILD)/pictures.json

.PHONY: pictures
pictures: $(BUILD)/tests/unit/analysis_tests  ## draw the pictures of docs/METRICS.md anew from the traces of the tests
	@TARRY_PICTURES=$(PICTURE_TRACES) $< --gtest_filter='Pictures.*' --gtest_brief=1
	@$(PYTHON) docs/pictures/make_pictures.py $(PICTURE_TRACES) docs/pictures

# Wants a calm machine, Chromium, Selenium and Pillow.
.PHONY: screenshots
screenshots: programs  ## photograph the explorer's views for docs/, of runs that are recorded anew
	@rm -rf $(BUILD)/screenshots
	@PATH="$(abspath $(BIN)):$$PATH" docs/pictures/record_runs.sh $(BUILD)/screenshots
	@/usr/bin/python3 -B docs/pictures/make_screenshots.py $(BUILD)/screenshots docs/pictures
