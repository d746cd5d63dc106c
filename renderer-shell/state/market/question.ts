import type { OfferedVersion, PluginDetails } from '../../../service/contract/index.ts';

/** An installation that a person is asked about before it begins. */
export interface Question {
  kind: 'install' | 'update';
  plugin: PluginDetails;
}

/** Facts that a person sees before an install or update; `installed` is null where there is no copy. */
export interface ConfirmationDetails {
  /** What would be there afterwards; empty where the catalogue names none. */
  version: string;
  installed: string | null;
  comparison: OfferedVersion['comparison'];
  permissions: string[];
  /** Those that the installed copy does not hold. */
  added: string[];
}

export function confirmationDetails({ kind, plugin }: Question): ConfirmationDetails {
  const { version, permissions, installedVersion: installed, offered } = plugin;
  if (kind === 'install' || !offered) {
    return { version, installed, comparison: null, permissions, added: [] };
  }
  const { addedPermissions: added, ...now } = offered;
  return { ...now, installed, added };
}

/** Whether its settings are shown once it is installed: the first time, and when one is missing. */
export const asksForSettings = (
  { userConfig, missingConfig = [] }: Pick<PluginDetails, 'userConfig' | 'missingConfig'>,
  isFirst: boolean,
): boolean => missingConfig.length > 0 || (isFirst && userConfig !== undefined);

/** What an installed copy does not hold yet, and going back or once more, are asked about. */
export function needsConfirmation(question: Question): boolean {
  const { comparison, permissions, added } = confirmationDetails(question);
  if (question.kind === 'install') return permissions.length > 0;
  return added.length > 0 || comparison === 'downgrade' || comparison === 'same';
}
