# mistyped.sh -- each tool says which option it does not know, and which one may have been meant.
mistyped() { tarry "$@"; echo "status $?: $*"; }
mistyped instrument --dry-rnu gcc x.c
mistyped measure --trase -- true
mistyped score --max-bufer 3M x
mistyped unify --verbsoe x
mistyped sync --gama=0.9 x
mistyped replay --strct x
mistyped merge --fro otf2 x
mistyped cube tree x
mistyped cube calltree --inclusve x
mistyped report --jsn x
mistyped archive inf x
mistyped archive info --qiet x
mistyped replay x y
