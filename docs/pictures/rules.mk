# docs/pictures/rules.mk -- draws the pictures of docs/METRICS.md; included by the root Makefile.

PICTURE_TRACES := $(BUILD)/pictures.json

.PHONY: pictures
pictures: $(BUILD)/tests/unit/analysis_tests  ## draw the pictures of docs/METRICS.md anew from the traces of the tests
	@TARRY_PICTURES=$(PICTURE_TRACES) $< --gtest_filter='Pictures.*' --gtest_brief=1
	@$(PYTHON) docs/pictures/make_pictures.py $(PICTURE_TRACES) docs/pictures
