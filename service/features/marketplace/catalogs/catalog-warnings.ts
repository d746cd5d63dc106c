import type { CatalogWarning } from './catalog.ts';
import { printable } from '../../../platform/archives/archive-problems.ts';
import { type HostText, type Message, msg } from '../../../messages/index.ts';

const maxWarnings = 1_000;

/** Collects the warnings about a catalog, up to a readable number. */
export class CatalogWarnings {
  readonly #warnings: CatalogWarning[] = [];
  #count = 0;

  add(entry: HostText, reason: Message): void {
    this.#count += 1;
    if (this.#warnings.length < maxWarnings)
      this.#warnings.push({
        entry: typeof entry === 'string' ? printable(entry) : entry,
        reason,
      });
  }

  /** At most 1,000; the last one then has the number of the others. */
  list(): CatalogWarning[] {
    if (this.#count <= maxWarnings) return this.#warnings;
    const listed = this.#warnings.slice(0, maxWarnings - 1);
    const more = this.#count - listed.length;
    return [...listed, { entry: '', reason: msg('catalog.moreWarnings', { count: more }) }];
  }
}
