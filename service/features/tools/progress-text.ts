/** Returns the progress that a worker reported, as one line. */
export function progressText(progress: { percent?: number; message?: string }): string {
  const { percent, message } = progress;
  const share = percent === undefined ? '' : `${Math.round(percent)} %`;
  return [share, message ?? ''].filter((part) => part !== '').join(' ');
}
