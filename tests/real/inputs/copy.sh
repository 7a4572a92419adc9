#!/bin/sh
# copy.sh FILE -- an input beside this script, or anywhere.
cd "$(dirname "$0")" && cp "$1" "$OLDPWD"
