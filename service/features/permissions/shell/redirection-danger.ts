import type { Redirection } from './segment.ts';
import { type Message, msg } from '../../../messages/index.ts';

/**
 * Returns the reason why a redirection may not be allowed: it writes a file or opens a connection.
 * Null if it is harmless.
 */
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
