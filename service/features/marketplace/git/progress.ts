/** Parses the progress output of git into percent of the received objects. */
export function progressOf(onProgress?: (percent: number) => void): (text: string) => void {
  let last = -1;
  return (text) => {
    for (const [, percent] of text.matchAll(/Receiving objects:\s+(\d{1,3})%/g)) {
      if (Number(percent) <= last) continue;
      last = Number(percent);
      onProgress?.(last);
    }
  };
}
