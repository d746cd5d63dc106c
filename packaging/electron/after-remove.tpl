#!/bin/sh
set -e

# An upgrade has put its own in the place of these already.
case "${1:-}" in
  upgrade | failed-upgrade | abort-install | abort-upgrade | 1) exit 0 ;;
esac

rm -f '/usr/bin/${executable}'
# Node keeps compiled code beside the program where it may write.
rm -rf '/opt/${sanitizedProductName}'

if [ -f '/etc/apparmor.d/${executable}' ]; then
  if apparmor_status --enabled >/dev/null 2>&1; then
    apparmor_parser --remove '/etc/apparmor.d/${executable}' || true
  fi
  rm -f '/etc/apparmor.d/${executable}'
fi
