/** Returns true if this process or the machine has reached its limit of open files. */
export function isOutOfFiles(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return code === 'EMFILE' || code === 'ENFILE';
}
