# full_disk.sh -- archive, cube and report on a disk without room, and on one that is read-only: one line says what
# could not be written, everything can be read, nothing changes.
. "$TARRY_ROOT/tests/cli/expect.bash"
. "$TARRY_ROOT/tests/cli/small_disk.bash"
record good 5
works tarry replay good

# read_all FOLDER: each call that reads, through a function of this script.
read_all() {
  local how=$1 folder=$2
  for command in ls info verify dump; do "$how" tarry archive $command "$folder/good"; done
  for command in info "dump --csv" calltree; do "$how" tarry cube $command "$folder/good/analysis.cubex"; done
  "$how" tarry report "$folder/good"
}

finds_no_room() {
  "$@" >disk/out 2>err
  status=$?
  [ $status -eq 1 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q '^tarry-[a-z]*: standard output: No space left' err ||
    complain "'$*' does not say that the disk is full"
}

small_disk disk 4m
cp -r good disk/good
fill disk
read_all finds_no_room disk
read_all works disk
fails 'disk/out.txt: No space left on device' tarry report disk/good -o disk/out.txt
[ -e disk/out.txt ] && complain "half a text is left"
holds "nothing was changed on the full disk" diff -r good disk/good

mkdir closed
cp -r good closed/good
read_only closed
read_all works closed
fails 'closed/out.txt: Read-only file system' tarry report closed/good -o closed/out.txt
fails 'good: Is a directory' tarry report closed/good -o good
holds "nothing was changed on the read-only disk" diff -r good closed/good
exit $wrong
