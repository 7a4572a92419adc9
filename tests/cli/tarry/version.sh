# version.sh -- the front door and the tools agree on the version.
version=$(tarry --version) && [ -n "${version#tarry }" ] &&
  [ "$(tarry report --version | cut -d ' ' -f 2)" = "${version#tarry }" ]
