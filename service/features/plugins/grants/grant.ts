import type { FileRef } from '../../../contract/index.ts';

/** A file or directory that a plugin may use. */
export interface Grant extends Omit<FileRef, 'id'> {
  path: string;
  /** Where it is the user's own and not a copy: what it was when it was granted. */
  native?: { device: bigint; inode: bigint };
}
