import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { PluginManifest, UserConfigField } from '../../../contract/index.ts';
import { type Message, msg } from '../../../messages/index.ts';

export type ConfigValue = string | number | boolean;

const maxTextLength = 64 * 1024;

/** Why a value does not have the type of its field, as a clause; null where it has. */
export function typeProblem({ type }: UserConfigField, value: unknown): Message | null {
  if (type === 'number') return Number.isFinite(value) ? null : msg('plugins.settingNumber');
  if (type === 'boolean') return typeof value === 'boolean' ? null : msg('plugins.settingBoolean');
  if (typeof value !== 'string')
    return type === 'string' ? msg('plugins.settingText') : msg('plugins.settingPath');
  if (value.length > maxTextLength) return msg('plugins.settingTooLong', { limit: maxTextLength });
  if (value.includes('\0')) return msg('plugins.settingCharacter');
  if (type === 'string') return null;
  return isAbsolute(value) ? null : msg('plugins.settingAbsolute');
}

export const isPathField = ({ type }: UserConfigField): boolean =>
  type === 'file' || type === 'directory';

/** Whether the files and folders that a person chose are handed to the worker. */
export const opensPaths = ({ permissions }: Pick<PluginManifest, 'permissions'>): boolean =>
  permissions.some((one) => one.startsWith('files.'));

/** The default of a setting. A path named by the plugin itself grants no access. */
export function defaultOf(
  manifest: Pick<PluginManifest, 'permissions'>,
  field: UserConfigField,
): ConfigValue | undefined {
  return isPathField(field) && opensPaths(manifest) ? undefined : usable(field, field.default);
}

/** Why there is nothing of its type at the path of a value, as a clause; null where there is. */
export async function pathProblem(
  { type }: UserConfigField,
  value: ConfigValue,
): Promise<Message | null> {
  const found = await stat(String(value)).catch(() => null);
  if (type === 'file') return found?.isFile() ? null : msg('plugins.settingNoFile');
  return found?.isDirectory() ? null : msg('plugins.settingNoFolder');
}

/** The value where it has the type of its field. An empty text is no value. */
export function usable(field: UserConfigField, value: unknown): ConfigValue | undefined {
  if (value === undefined || value === '' || typeProblem(field, value) !== null) return undefined;
  return value as ConfigValue;
}
