# models_peer.sh -- 'tarry scale --like extra-p' has the terms and figures of all recorded models and hypotheses.
set -eu
tar -xJf "$TARRY_ROOT/tests/data/peer/models.tar.xz"
"$PYTHON" "$TARRY_ROOT/tests/peer/compare_models.py" models
