import type { WritableSettings } from '../../service/contract/index.ts';

type Rules = WritableSettings['permissionRules'];

/** Rules that a person types, and what was stored when they began. */
export interface TypedRules {
  base: Rules;
  typed: Rules;
}

/**
 * What was typed, with what was stored meanwhile: a list that nobody types in is the stored one, and lines
 * that were added to the end of one, as an approval for good does, stand at the end of the typed one.
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
