#!/bin/sh
# Installs a deb or an rpm on a system that has only its base, with nothing but what the package depends on,
# and starts the program there: try-in-container.sh <package>. For root in a container that may be thrown away.
set -eu

package=$1
folder='/opt/Plugin Host'
here=$(dirname "$0")

case $package in
  *.deb)
    apt-get update -qq
    apt-get install -qq -y --no-install-recommends "$package"
    ;;
  *.rpm) dnf install -q -y --setopt=install_weak_deps=False "$package" ;;
  *) printf 'Neither a deb nor an rpm: %s\n' "$package" >&2 && exit 2 ;;
esac

# A library that is missing would stop the program only on the machine of a person.
native=$(find "$folder" -type f \( -name plugin-host -o -name node -o -name '*.so' -o -name '*.so.*' -o -name '*.node' \))
printf '%s\n' "$native" | while read -r file; do
  # Scripts have the same names, and no libraries.
  if libraries=$(ldd "$file" 2>/dev/null) && printf '%s\n' "$libraries" | grep 'not found'; then
    printf 'Missing on a plain system: %s\n' "$file" >&2
    exit 1
  fi
done

node="$folder/resources/node/node"
"$node" "$here/try-package.ts" plugin-host --headless

# Only now, so that what a display brings does not stand in for what the package has to bring.
case $package in
  *.deb) apt-get install -qq -y --no-install-recommends xvfb xauth ;;
  *.rpm) dnf install -q -y xorg-x11-server-Xvfb xauth ;;
esac
useradd --create-home person
# Electron does not run as root with its sandbox.
runuser -u person -- xvfb-run -a "$node" "$here/try-package.ts" "$folder/plugin-host"
