#!/bin/sh
# Installs a deb or rpm with only its dependencies on a base system and starts the program:
#   try-in-container.sh <package> [folder of the program]
# Run it as root in a container that you throw away.
set -eu

package=$1
folder=${2:-/opt/Plugin Host}
here=$(dirname "$0")

case $package in
  *.deb)
    apt-get update -qq
    apt-get install -qq -y --no-install-recommends "$package"
    ;;
  *.rpm) dnf install -q -y --setopt=install_weak_deps=False "$package" ;;
  *) printf 'Neither a deb nor an rpm: %s\n' "$package" >&2 && exit 2 ;;
esac

# A missing library would otherwise stop the program only on a user's machine.
native=$(find "$folder" -type f \( -name plugin-host -o -name node -o -name '*.so' -o -name '*.so.*' -o -name '*.node' \))
printf '%s\n' "$native" | while read -r file; do
  # ldd fails for scripts, which need no libraries.
  if libraries=$(ldd "$file" 2>/dev/null) && printf '%s\n' "$libraries" | grep 'not found'; then
    printf 'Missing on a plain system: %s\n' "$file" >&2
    exit 1
  fi
done

node="$folder/resources/node/node"
"$node" "$here/try-package.ts" plugin-host --headless

# Installed after that check, because these packages bring libraries of their own.
case $package in
  *.deb) apt-get install -qq -y --no-install-recommends xvfb xauth ;;
  *.rpm) dnf install -q -y xorg-x11-server-Xvfb xauth ;;
esac
useradd --create-home person
# Electron does not run as root with its sandbox.
runuser -u person -- xvfb-run -a "$node" "$here/try-package.ts" "$folder/plugin-host"
