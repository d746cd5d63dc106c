import { printable } from '../../../platform/archives/archive-problems.ts';
import { type Message, msg, textOf } from '../../../messages/index.ts';

/** Every file of a plugin may be wrong; people read only the first few warnings. */
const maxWarnings = 100;

/**
 * A part that was left out. `part` is a path in the plugin or a field; `reason` continues it:
 * `skills/a` + `has no SKILL.md`.
 */
export interface ContentWarning {
  part: string;
  reason: Message;
}

/** Collects warnings about the parts of a plugin that were left out. */
export class ContentWarnings {
  readonly #found = new Map<string, ContentWarning>();

  /** Identical warnings are added once. */
  add(part: string, reason: Message): void {
    const printablePart = printable(part === '' ? '.' : part);
    this.#found.set(JSON.stringify([printablePart, textOf(reason)]), {
      part: printablePart,
      reason,
    });
  }

  /** The warnings sorted by part: at most 100, and one with the number of the others. */
  list(): ContentWarning[] {
    const all = [...this.#found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
    if (all.length <= maxWarnings) return all;
    const more = {
      part: '.',
      reason: msg('contributions.moreProblems', { count: all.length - maxWarnings }),
    };
    return [...all.slice(0, maxWarnings), more];
  }
}
