import type { TFunction } from 'i18next';

/** The sentences of the host for what no rule decides, by the key of their words. */
const keys = new Map([
  ['it changes something', 'because.change'],
  ['it runs a program', 'because.program'],
  ['it acts outside of this host', 'because.outside'],
  ['it runs a command', 'because.command'],
  ['commands run without a full sandbox here', 'because.unboxed'],
  ['it asks for the network', 'because.network'],
]);

/** Why a call asks, in the language of the shell; what has no words there stays as the host says it. */
export function reasonText(t: TFunction, reason: string): string {
  const why = /^No rule allows it, and (.+)\.$/.exec(reason)?.[1];
  const key = why === undefined ? undefined : keys.get(why);
  return key === undefined ? reason : t(key);
}
