# links.sh -- the front door finds its tools through links, on PATH, and below libexec.
. "$TARRY_ROOT/tests/cli/tarry/tools_here.bash"
mkdir -p elsewhere/deep
ln -s ../../bin/tarry elsewhere/deep/tarry
ln -s deep/tarry elsewhere/front-door
elsewhere/front-door replay by a chain of links
PATH=$PWD/elsewhere/deep:$PATH tarry replay on PATH
mkdir -p 'with space/bin' 'with space/libexec/tarry'
cp bin/tarry 'with space/bin/'
mv bin/tarry-report 'with space/libexec/tarry/'
'with space/bin/tarry' report below libexec
