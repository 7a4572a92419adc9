# screenshots.sh -- `make screenshots`: runs are recorded, and every view is photographed.
# long
# no-san
# timeout 300
set -eu
command -v tarry-explore >/dev/null || { echo "built without the explorer"; exit 77; }
/usr/bin/python3 -c 'import selenium, PIL' 2>/dev/null && [ -x /usr/bin/chromium ] && [ -x /usr/bin/chromedriver ] ||
  { echo "no Chromium, driver, Selenium or Pillow (Debian: chromium chromium-driver python3-selenium python3-pil)"; exit 77; }
here=$PWD
mkdir drawn
(cd "$TARRY_ROOT" && docs/pictures/record_runs.sh "$here/runs")
/usr/bin/python3 -B "$TARRY_ROOT/docs/pictures/make_screenshots.py" runs drawn
for picture in "$TARRY_ROOT"/docs/pictures/*.png; do
  [ -s "drawn/$(basename "$picture")" ] || { echo "there is no new $(basename "$picture")"; exit 1; }
done
