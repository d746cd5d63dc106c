import type { PluginWarning } from '../../../service/contract/index.ts';
import { hostMessage } from '../../core/messages/host-message.ts';

/** Lists what cannot be used of a plugin, in a sentence each. */
export function PluginWarnings({ warnings }: { warnings: readonly PluginWarning[] }) {
  return warnings.map(({ message, text }, index) => (
    <p key={index} className="plain untrusted">
      {hostMessage(text, message)}
    </p>
  ));
}

/** Returns true if nothing of the plugin can be used. */
export const hasNoContributions = (warnings: readonly PluginWarning[] = []): boolean =>
  warnings.some(({ path }) => path === '');
