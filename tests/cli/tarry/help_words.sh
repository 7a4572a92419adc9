# help_words.sh -- help texts are held to the rules for words and sentences, those of operations as well.
"$PYTHON" "$TARRY_ROOT/tests/check_words.py" --help-texts "$(dirname "$(command -v tarry)")"
