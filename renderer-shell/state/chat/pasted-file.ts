/** Longer texts become a file: the message stays readable, and the model reads the rest in parts. */
const maxCharacters = 5_000;
const maxLines = 80;

/** A pasted text as a file, or null if it is short enough to stay in the message. */
export function pastedFile(text: string): File | null {
  const isLong = text.length > maxCharacters || text.split('\n', maxLines + 1).length > maxLines;
  return isLong ? new File([text], `pasted-${nextNumber()}.txt`, { type: 'text/plain' }) : null;
}

let count = 0;
function nextNumber(): number {
  count += 1;
  return count;
}
