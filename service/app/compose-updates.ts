import type { SettingsFeature } from '../features/settings/index.ts';
import { createUpdates, type UpdatesFeature } from '../features/updates/index.ts';
import type { Processes } from '../platform/processes.ts';
import type { AppContext } from './app-context.ts';

/** Creates the updates of this program, from the address in the settings. */
export async function composeUpdates(
  context: AppContext,
  { service }: SettingsFeature,
  processes: Processes,
): Promise<UpdatesFeature> {
  const updates = await createUpdates({
    ...context,
    processes,
    webAllow: context.properties.webAllow,
    base: () => service.values.updateApiBase,
  });
  service.changes.subscribe(({ keys }) => {
    if (keys.includes('updateApiBase')) updates.refreshChannel();
  });
  return updates;
}
