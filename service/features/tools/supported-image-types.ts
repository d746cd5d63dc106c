/** What every model that sees takes. One of another kind would make its server refuse the turn. */
export const supportedImageTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
]);
/** Of the base64 of an image: 5 MiB of it; model servers take no larger one. */
export const maxImageCharacters = 7 * 1024 ** 2;
