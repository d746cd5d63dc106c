#!/bin/sh
set -e

home='/opt/${sanitizedProductName}'

# Older versions led to the binary itself, which shows no help and needs a display.
if command -v update-alternatives >/dev/null 2>&1; then
  update-alternatives --remove '${executable}' "$home/${executable}" >/dev/null 2>&1 || true
fi
ln -sf "$home/bin/${executable}" '/usr/bin/${executable}'

# Chromium's sandbox needs user namespaces, or this helper.
if [ -L /proc/self/ns/user ] && unshare --user true 2>/dev/null; then
  chmod 0755 "$home/chrome-sandbox" || true
else
  chmod 4755 "$home/chrome-sandbox" || true
fi

# Newer Ubuntu lets only programs with a profile make user namespaces; older AppArmor cannot read it.
profile="$home/resources/apparmor-profile"
if [ -f "$profile" ] && apparmor_status --enabled >/dev/null 2>&1 &&
  apparmor_parser --skip-kernel-load --debug "$profile" >/dev/null 2>&1; then
  cp -f "$profile" '/etc/apparmor.d/${executable}'
  apparmor_parser --replace --write-cache --skip-read-cache '/etc/apparmor.d/${executable}' || true
fi

if command -v update-mime-database >/dev/null 2>&1; then
  update-mime-database /usr/share/mime || true
fi
if command -v update-desktop-database >/dev/null 2>&1; then
  update-desktop-database /usr/share/applications || true
fi
