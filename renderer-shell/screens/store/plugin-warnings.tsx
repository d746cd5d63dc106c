import type { PluginWarning } from '../../../service/contract/index.ts';
import { hostMessage } from '../../core/messages/host-message.ts';

/** What of a plugin cannot be used, a sentence each. */
export function PluginWarnings({ warnings }: { warnings: readonly PluginWarning[] }) {
  return warnings.map(({ message, text }, index) => (
    <p key={index} className="plain untrusted">
      {hostMessage(text, message)}
    </p>
  ));
}

/** Nothing of it can be used at all. */
export const hasNoContributions = (warnings: readonly PluginWarning[] = []): boolean =>
  warnings.some(({ path }) => path === '');
