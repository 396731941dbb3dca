#!/bin/bash
# Installs what is missing and builds. Used by experiments/run and tests/run; not meant to be called by hand.
#
#   setup.sh packages KIND...    installs the packages of these kinds (build, test, optional)
#   setup.sh build PRESET [TARGET...]
#
# Exit code 4: the environment lacks something that is needed, and it has been said what.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)

missing_of_kind() {
  local kind=$1 name
  awk -v kind="$kind" '$1 == kind { print $2 }' "$root/experiments/packages.txt" | while read -r name; do
    dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q '^install ok installed' || echo "$name"
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo -n "$@"; else return 1; fi
}

install() {  # install NAME...: all of them, or says which it could not
  command -v apt-get >/dev/null || return 1
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1 && return 0
  as_root apt-get update -qq >/dev/null 2>&1
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

packages() {
  local kind missing failed=0
  command -v dpkg-query >/dev/null || { echo "setup: not a Debian system; needed packages are in experiments/packages.txt" >&2; return 0; }
  for kind in "$@"; do
    missing=$(missing_of_kind "$kind")
    [ -z "$missing" ] && continue
    echo "setup: installing ($kind)" $missing >&2
    # shellcheck disable=SC2086 # one word a package
    install $missing || true
    missing=$(missing_of_kind "$kind")
    [ -z "$missing" ] && continue
    if [ "$kind" = optional ]; then
      echo "setup: not installed, going on without:" $missing >&2
    else
      echo "setup: could not install:" $missing >&2
      echo "setup: install them as root: apt-get install" $missing >&2
      failed=1
    fi
  done
  [ $failed -eq 0 ] || exit 4
}

build() {
  local preset=$1
  shift
  cd "$root" || exit 4
  cmake --preset "$preset" >"/tmp/brink-configure-$$.log" 2>&1 || { cat "/tmp/brink-configure-$$.log" >&2; rm -f "/tmp/brink-configure-$$.log"; exit 4; }
  rm -f "/tmp/brink-configure-$$.log"
  local targets=()
  for target in "$@"; do targets+=(--target "$target"); done
  cmake --build --preset "$preset" "${targets[@]}" >&2 || exit 1
}

case "${1:-}" in
  packages | build) "$@" ;;
  *) echo "usage: setup.sh packages KIND... | build PRESET [TARGET...]" >&2; exit 2 ;;
esac
