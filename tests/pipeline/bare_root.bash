# bare_root.bash -- a bare Debian root, and commands in it; sourced by tests, which end with 77 where there can be none.

# make_bare_root FOLDER: of this release, with the sources of packages of this machine.
make_bare_root() {
  local root=$1 release mirror part
  [ "$(id -u)" -eq 0 ] || { echo "not root"; exit 77; }
  command -v debootstrap >/dev/null || { echo "debootstrap is not installed"; exit 77; }
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mirror=$(grep -rhoE 'https?://[^ ]+/debian($| |/$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -n 1 | tr -d ' ')
  debootstrap --variant=minbase "$release" "$root" ${mirror:+"$mirror"} >debootstrap.log 2>&1 ||
    { tail -3 debootstrap.log; echo "no bare root can be made here"; exit 77; }
  for part in sources.list sources.list.d apt.conf.d trusted.gpg.d; do
    [ ! -e /etc/apt/$part ] || { rm -rf "$root/etc/apt/$part"; cp -rL /etc/apt/$part "$root/etc/apt/"; }
  done
  cp -rL /usr/share/keyrings "$root/usr/share/"
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  mkdir -p "$root/etc/ssl" && cp -rL /etc/ssl/certs "$root/etc/ssl/"
}

# in_bare_root FOLDER COMMAND...: in a mount namespace of its own, so that nothing stays mounted.
in_bare_root() {
  local root=$1
  shift
  unshare --mount sh -euc '
    root=$1
    shift
    mount --bind /proc "$root/proc"
    mount --bind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/dev/shm"
    exec chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 TERM=dumb \
      DEBIAN_FRONTEND=noninteractive OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "$@"' sh "$root" "$@"
}
