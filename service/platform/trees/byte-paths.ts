/** Paths as bytes: a name on the disk need not be text. */
export const below = (folder: Buffer, name: Buffer): Buffer =>
  Buffer.concat([folder, separator, name]);

const separator = Buffer.from('/');

/**
 * Beyond so many bytes a path is taken from nearer, so that the limit of the system for one (1 024 on
 * macOS, 4 096 on Linux) is not reached, whatever the next name is.
 */
export const longPathBytes = process.platform === 'linux' ? 1_024 : 512;
