/** Control characters that occur in binary files only, whatever the encoding of a text. */
const control = /[\x00-\x07\x0e-\x1a\x1c-\x1f\x7f]/;

/** Decodes the text of a file (UTF-8, UTF-16 or an older encoding); null for binary data. */
export function decodeText(bytes: Buffer): string | null {
  const utf16 = encodingOfMark(bytes);
  if (utf16 !== null) return decoded(bytes, utf16);
  if (control.test(bytes.toString('latin1'))) return null;
  return decoded(bytes, 'utf-8') ?? decoded(bytes, hasPairs(bytes) ? 'gb18030' : 'windows-1252');
}

function encodingOfMark(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null;
}

function decoded(bytes: Buffer, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Chinese texts in older encodings have high bytes in pairs, Western ones mostly single ones. */
function hasPairs(bytes: Buffer): boolean {
  let runs = 0;
  let odd = 0;
  let length = 0;
  for (const byte of bytes) {
    if (byte >= 0x80) length += 1;
    else if (length > 0) {
      runs += 1;
      odd += length % 2;
      length = 0;
    }
  }
  if (length > 0) runs += 1;
  return (odd + (length % 2)) * 10 < runs;
}
