import { printable } from '../../../platform/archives/archive-problems.ts';
import { type Message, msg, textOf } from '../../../messages/index.ts';

/** A plugin can have something wrong in each of its files; a person reads the first few. */
const maxWarnings = 100;

/** `part` is a path in the plugin or a field; `reason` goes on from it: `skills/a` + `has no SKILL.md`. */
export interface ContentWarning {
  part: string;
  reason: Message;
}

/** What of a plugin was left out, and why. */
export class ContentWarnings {
  readonly #found = new Map<string, ContentWarning>();

  /** The same thing said twice counts once. */
  add(part: string, reason: Message): void {
    const printablePart = printable(part === '' ? '.' : part);
    this.#found.set(JSON.stringify([printablePart, textOf(reason)]), {
      part: printablePart,
      reason,
    });
  }

  /** Sorted by part; at most 100 and one that says how many more there are. */
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
