import type { WritableSettings } from '../../service/contract/index.ts';

type Rules = WritableSettings['permissionRules'];

/** Edited rules, and the stored rules at the start of the edit. */
export interface TypedRules {
  base: Rules;
  typed: Rules;
}

/**
 * Returns the edited rules merged with rules that were stored meanwhile. An unedited list is the
 * stored one. Lines that were appended to a list, for example by a permanent approval, are appended
 * to the edited one.
 */
export const rulesOf = ({ base, typed }: TypedRules, stored: Rules): Rules => ({
  deny: listOf(base.deny, typed.deny, stored.deny),
  ask: listOf(base.ask, typed.ask, stored.ask),
  allow: listOf(base.allow, typed.allow, stored.allow),
});

function listOf(base: string, typed: string, stored: string): string {
  if (stored === base) return typed;
  if (typed === base) return stored;
  if (!stored.startsWith(base)) return typed;
  const added = stored.slice(base.length).replace(/^\n/, '');
  return added === '' ? typed : `${typed.replace(/\n$/, '')}\n${added}`;
}
