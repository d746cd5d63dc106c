const onMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Returns keys such as `mod+k` in the notation of this platform. */
export const keysText = (keys: string): string =>
  keys
    .split('+')
    .map((key) =>
      key === 'mod' ? (onMac ? '⌘' : 'Ctrl') : key.length === 1 ? key.toUpperCase() : key,
    )
    .join(onMac ? '' : ' + ');
