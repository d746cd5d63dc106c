import type { FileRef } from '../../../contract/index.ts';

/** A file or directory that a plugin may use. */
export interface Grant extends Omit<FileRef, 'id'> {
  path: string;
  /** Identity of a user's own file at the time of the grant; undefined for a copy. */
  native?: { device: bigint; inode: bigint };
}
