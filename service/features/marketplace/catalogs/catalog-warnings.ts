import type { CatalogWarning } from '../../../contract/store.ts';
import { printable } from '../../../platform/archives/archive-problems.ts';

const maxWarnings = 1_000;

/** What to tell about a catalogue: not more than a person could read, and how much more there is. */
export class CatalogWarnings {
  readonly #warnings: CatalogWarning[] = [];
  #count = 0;

  add(entry: string, reason: string): void {
    this.#count += 1;
    if (this.#warnings.length < maxWarnings)
      this.#warnings.push({ entry: printable(entry), reason });
  }

  /** At most 1 000; the last one then says how many are not there. */
  list(): CatalogWarning[] {
    if (this.#count <= maxWarnings) return this.#warnings;
    const listed = this.#warnings.slice(0, maxWarnings - 1);
    const more = this.#count - listed.length;
    return [...listed, { entry: '', reason: `has ${more} more warnings that are not shown` }];
  }
}
