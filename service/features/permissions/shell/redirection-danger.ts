import type { Redirection } from './segment.ts';

/** Why a redirection is not granted: it writes somewhere, or opens a connection. Null: it is harmless. */
export function redirectionDanger(redirections: readonly Redirection[]): string | null {
  for (const { operator, target } of redirections) {
    const value = target?.value ?? '';
    if (/^\/dev\/(?:tcp|udp)\//.test(value)) return 'it opens a network connection';
    if (operator.startsWith('<') || operator === '>&-') continue;
    if (target?.literal && value === '/dev/null') continue;
    if (operator === '>&' && /^(?:\d+-?|-)$/.test(value)) continue;
    return 'it writes to a file';
  }
  return null;
}
