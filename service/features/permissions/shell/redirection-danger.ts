import type { Redirection } from './segment.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** Why a redirection is not granted: it writes somewhere, or opens a connection. Null: it is harmless. */
export function redirectionDanger(redirections: readonly Redirection[]): Message | null {
  for (const { operator, target } of redirections) {
    const value = target?.value ?? '';
    if (/^\/dev\/(?:tcp|udp)\//.test(value)) return msg('command.opensConnection');
    if (operator.startsWith('<') || operator === '>&-') continue;
    if (target?.literal && value === '/dev/null') continue;
    if (operator === '>&' && /^(?:\d+-?|-)$/.test(value)) continue;
    return msg('command.writesFile');
  }
  return null;
}
