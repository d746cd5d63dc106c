import type { TFunction } from 'i18next';

/** The sentences of the host for what no rule decides, by the key of their words. */
const keys = new Map([
  ['it changes something', 'approval.reason.change'],
  ['it runs a program', 'approval.reason.program'],
  ['it acts outside of this host', 'approval.reason.outside'],
  ['it runs a command', 'approval.reason.command'],
  ['commands run without a full sandbox here', 'approval.reason.unboxed'],
  ['it asks for the network', 'approval.reason.network'],
]);

/** Why a call asks, in the language of the shell; what has no words there stays as the host says it. */
export function reasonText(t: TFunction, reason: string): string {
  const why = /^No rule allows it, and (.+)\.$/.exec(reason)?.[1];
  const key = why === undefined ? undefined : keys.get(why);
  return key === undefined ? reason : t(key);
}
