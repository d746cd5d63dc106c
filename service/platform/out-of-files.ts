/** Whether this process, or the machine, may have no further file open for now. */
export function isOutOfFiles(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return code === 'EMFILE' || code === 'ENFILE';
}
