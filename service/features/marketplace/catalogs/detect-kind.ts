import type { SourceKind } from '../../../contract/store.ts';
import { isObject, type JsonObject } from './catalog.ts';

/** Of a catalogue, to tell its kind. */
const sampleSize = 200;

/**
 * Which kind of catalogue a document is, by its entries first, then by the place where it lies, then by
 * what else it says. Null: it is none that the host knows.
 */
export function detectKind(document: unknown, address: string): SourceKind | null {
  if (!isObject(document) || !Array.isArray(document['plugins'])) return null;
  const plugins: unknown[] = document['plugins'];
  const sample = plugins.slice(0, sampleSize).filter(isObject);
  if (sample.some(namesPackage)) return 'HOST';
  const placed = kindOfPlace(address);
  if (placed !== null) return placed;
  if (isObject(document['interface']) || sample.some(isForAgents)) return 'AGENTS';
  if (isObject(document['owner']) || sample.some((entry) => entry['source'] !== undefined)) {
    return 'CLAUDE';
  }
  if (plugins.length > 0) return null;
  return document['name'] === undefined ? 'HOST' : 'CLAUDE';
}

function namesPackage(entry: JsonObject): boolean {
  return typeof entry['id'] === 'string' && typeof entry['package'] === 'string';
}

function isForAgents({ policy, source }: JsonObject): boolean {
  return isObject(policy) || (isObject(source) && source['source'] === 'local');
}

function kindOfPlace(address: string): SourceKind | null {
  const path = URL.parse(address)?.pathname ?? address;
  if (/(?:^|\/)\.claude-plugin\/[^/]+$/.test(path)) return 'CLAUDE';
  if (/(?:^|\/)\.agents\/plugins\/[^/]+$/.test(path)) return 'AGENTS';
  return null;
}
