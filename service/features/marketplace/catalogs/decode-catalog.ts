import { HostError } from '../../../core/host-error.ts';
import { excessOf } from '../../../core/json-shape.ts';
import { type Message, msg } from '../../../messages/index.ts';

const maxDepth = 64;
/**
 * Far above the number of values in a catalog of 16 MiB; brackets alone would take seconds to
 * parse.
 */
const maxValues = 2_000_000;

/**
 * Parses the bytes of a catalog: JSON in UTF-8 with at most 64 levels.
 * @throws HostError `invalid_catalog`
 */
export function decodeCatalog(bytes: Uint8Array): unknown {
  const foreign = binaryFormat(bytes);
  if (foreign !== undefined) throw notACatalog(foreign);
  const text = decode(bytes);
  const start = text.trimStart();
  if (start === '') throw notACatalog(msg('catalog.documentEmpty'));
  if (start.startsWith('<')) throw notACatalog(msg('catalog.documentWebPage'));
  if (start.startsWith('version https://git-lfs')) {
    throw notACatalog(msg('catalog.documentLfs'));
  }
  const excess = excessOf(text, { levels: maxDepth, values: maxValues });
  if (excess === 'levels') throw notACatalog(msg('catalog.documentTooDeep', { limit: maxDepth }));
  if (excess === 'values') throw notACatalog(msg('catalog.documentTooLarge', { limit: maxValues }));
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw notACatalog(msg('catalog.documentNotJson'));
  }
}

function binaryFormat(bytes: Uint8Array): Message | undefined {
  const [first, second] = bytes;
  if (first === 0x1f && second === 0x8b) return msg('catalog.documentCompressed');
  if (first === 0x50 && second === 0x4b) return msg('catalog.documentArchive');
  return undefined;
}

/** Removes a byte order mark. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notACatalog(msg('catalog.documentNotUtf8'));
  }
}

function notACatalog(reason: Message): HostError {
  const message = msg('catalog.notCatalog', { reason });
  return new HostError('invalid', 'invalid_catalog', message);
}
