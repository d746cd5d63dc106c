import type { CatalogWarning } from '../../../contract/store.ts';
import { printable } from '../../../platform/archives/archive-problems.ts';

const maxWarnings = 1_000;

/** What to tell about a catalogue: not more than a person could read, and how much more there is. */
export class CatalogWarnings {
  readonly #kept: CatalogWarning[] = [];
  #count = 0;

  add(entry: string, reason: string): void {
    this.#count += 1;
    if (this.#kept.length < maxWarnings) this.#kept.push({ entry: printable(entry), reason });
  }

  /** At most 1 000; the last one then says how many are not there. */
  list(): CatalogWarning[] {
    if (this.#count <= maxWarnings) return this.#kept;
    const kept = this.#kept.slice(0, maxWarnings - 1);
    const more = this.#count - kept.length;
    return [...kept, { entry: '', reason: `has ${more} more warnings that are not shown` }];
  }
}
