import { SourceMap, type SourceMapPayload } from 'node:module';
import type { ErrorLocation } from '../../../contract/index.ts';
import { isObject } from '../../../core/is-object.ts';

const maxPlugins = 50;
const maxPathCharacters = 400;

/** Source maps of plugins under development, sent by the plugin kit. In memory only. */
export class DevelopedSources {
  readonly #maps = new Map<string, Map<string, SourceMap>>();

  /** Replaces the maps of a plugin: source maps as JSON, by path in its package. */
  put(id: string, maps: Readonly<Record<string, string>>): void {
    this.#maps.delete(id);
    const read = Object.entries(maps).flatMap(([path, text]) => {
      const map = sourceMapOf(text);
      return map === null ? [] : [[path, map] as const];
    });
    if (read.length === 0) return;
    this.#maps.set(id, new Map(read));
    const [oldest] = this.#maps.keys();
    if (this.#maps.size > maxPlugins && oldest !== undefined) this.#maps.delete(oldest);
  }

  drop(id: string): void {
    this.#maps.delete(id);
  }

  clear(): void {
    this.#maps.clear();
  }

  /** Returns the place in the author's source if it is known, otherwise the place itself. */
  locate(id: string, location: ErrorLocation): ErrorLocation {
    const { file, line, column = 1 } = location;
    const map = this.#maps.get(id)?.get(file);
    if (map === undefined || line === undefined) return location;
    // Both are zero-based here.
    const found = map.findEntry(line - 1, column - 1);
    if (!('originalSource' in found)) return location;
    const { originalSource, originalLine, originalColumn } = found;
    if (originalSource === '' || originalSource.length > maxPathCharacters) return location;
    return { file: originalSource, line: originalLine + 1, column: originalColumn + 1 };
  }
}

function sourceMapOf(text: string): SourceMap | null {
  try {
    const payload: unknown = JSON.parse(text);
    return isObject(payload) ? new SourceMap(payload as unknown as SourceMapPayload) : null;
  } catch {
    return null;
  }
}
