import type { PluginWarning } from '../../../service/contract/index.ts';
import { hostText } from '../../core/messages/problem-texts.ts';

/** What of a plugin cannot be used, a sentence each. */
export function PluginWarnings({ warnings }: { warnings: readonly PluginWarning[] }) {
  return warnings.map(({ message }, index) => (
    <p key={index} className="plain untrusted">
      {hostText(message)}
    </p>
  ));
}

/** Nothing of it can be used at all. */
export const hasNoContributions = (warnings: readonly PluginWarning[] = []): boolean =>
  warnings.some(({ path }) => path === '');
