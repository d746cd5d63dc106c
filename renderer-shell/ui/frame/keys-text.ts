const onMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** `mod+k` as it stands on the keyboard of this machine. */
export const keysText = (keys: string): string =>
  keys
    .split('+')
    .map((key) =>
      key === 'mod' ? (onMac ? '⌘' : 'Ctrl') : key.length === 1 ? key.toUpperCase() : key,
    )
    .join(onMac ? '' : ' + ');
