/**
 * Longer texts become a file, so that the message stays readable and the model can read the rest in
 * parts.
 */
const maxCharacters = 5_000;
const maxLines = 80;

/** Returns a pasted text as a file, or null if it is short enough to stay in the message. */
export function pastedFile(text: string): File | null {
  const isLong = text.length > maxCharacters || text.split('\n', maxLines + 1).length > maxLines;
  return isLong ? new File([text], `pasted-${nextNumber()}.txt`, { type: 'text/plain' }) : null;
}

let count = 0;
function nextNumber(): number {
  count += 1;
  return count;
}
