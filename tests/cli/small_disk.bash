# small_disk.bash -- a disk that is soon full, and one that cannot be written; sourced by cases behind expect.bash.
[ "$(id -u)" -eq 0 ] || { echo "only root can mount a small disk"; exit 77; }
mounted=()
unmount_all() { for folder in "${mounted[@]}"; do umount -l "$folder"; done; }
trap unmount_all EXIT

# small_disk FOLDER SIZE: a file system of that size.
small_disk() {
  mkdir -p "$1"
  mount -t tmpfs -o size="$2" tarry-test "$1" 2>/dev/null || { echo "cannot mount a small disk here"; exit 77; }
  mounted+=("$PWD/$1")
}

# read_only FOLDER: what is below it cannot be changed any more.
read_only() {
  mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" || { echo "cannot mount read-only here"; exit 77; }
  mounted+=("$PWD/$1")
}

# fill FOLDER: leaves no room at all.
fill() { dd if=/dev/zero of="$1/filler" bs=4k 2>/dev/null; :; }
