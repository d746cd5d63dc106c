/**
 * Image types that every vision model accepts. Any other type would make its server reject the
 * turn.
 */
export const supportedImageTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);
/** Limit for the base64 text of an image, 5 MiB of data; model servers accept no larger one. */
export const maxImageCharacters = 7 * 1024 ** 2;
