/** Joins paths as bytes, since a file name may not be valid text. */
export const below = (folder: Buffer, name: Buffer): Buffer =>
  Buffer.concat([folder, separator, name]);

const separator = Buffer.from('/');

/**
 * Longer paths are opened relative to a nearer folder, so that the limit of the system (1 024 bytes
 * on macOS, 4 096 on Linux) is not reached with the next name.
 */
export const longPathBytes = process.platform === 'linux' ? 1_024 : 512;
