import { HostError } from '../../../core/host-error.ts';
import { excessOf } from '../../../core/json-shape.ts';

const maxDepth = 64;
/** Far more than a catalogue of 16 MiB has; what is all brackets would take seconds. */
const maxValues = 2_000_000;

/** Reads the bytes of a catalogue: JSON in UTF-8, at most 64 levels. Throws `invalid_catalog`. */
export function decodeCatalog(bytes: Uint8Array): unknown {
  const foreign = binaryFormat(bytes);
  if (foreign !== undefined) throw notACatalog(foreign);
  const text = decode(bytes);
  const start = text.trimStart();
  if (start === '') throw notACatalog('is empty');
  if (start.startsWith('<')) throw notACatalog('is a web page');
  if (start.startsWith('version https://git-lfs')) {
    throw notACatalog('only says where Git LFS keeps the file');
  }
  const excess = excessOf(text, { levels: maxDepth, values: maxValues });
  if (excess === 'levels') throw notACatalog(`is nested more than ${maxDepth} levels deep`);
  if (excess === 'values') throw notACatalog(`holds more than ${maxValues} values`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw notACatalog('is not valid JSON');
  }
}

function binaryFormat(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0x1f && second === 0x8b) return 'is compressed';
  if (first === 0x50 && second === 0x4b) return 'is an archive or a package';
  return undefined;
}

/** A byte order mark is taken off. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notACatalog('is not text in UTF-8');
  }
}

function notACatalog(what: string): HostError {
  const message = `What lies at this address is no catalogue: it ${what}. Check the address.`;
  return new HostError('invalid', 'invalid_catalog', message);
}
