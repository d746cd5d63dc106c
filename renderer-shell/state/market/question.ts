import type { OfferedVersion, PluginDetails } from '../../../service/contract/index.ts';

/** An installation that needs a confirmation before it starts. */
export interface Question {
  kind: 'install' | 'update';
  plugin: PluginDetails;
}

/** The content of the confirmation. */
export interface ConfirmationDetails {
  /** The version after the installation; empty if the catalog names none. */
  version: string;
  installed: string | null;
  comparison: OfferedVersion['comparison'];
  permissions: string[];
  /** Permissions that the installed version does not have. */
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

/**
 * Returns true if the settings open after the installation: the first time, and when a required one
 * is missing.
 */
export const asksForSettings = (
  { userConfig, missingConfig = [] }: Pick<PluginDetails, 'userConfig' | 'missingConfig'>,
  isFirst: boolean,
): boolean => missingConfig.length > 0 || (isFirst && userConfig !== undefined);

/** Returns true for new permissions, a downgrade or a reinstallation. */
export function needsConfirmation(question: Question): boolean {
  const { comparison, permissions, added } = confirmationDetails(question);
  if (question.kind === 'install') return permissions.length > 0;
  return added.length > 0 || comparison === 'downgrade' || comparison === 'same';
}
