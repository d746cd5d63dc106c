import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { PluginManifest, UserConfigField } from '../../../contract/index.ts';
import { type Message, msg } from '../../../messages/index.ts';

export type ConfigValue = string | number | boolean;

const maxTextLength = 64 * 1024;

/**
 * Returns the reason why a value does not have the type of its field, as a clause; null if it has.
 */
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

/** Returns true if the worker gets access to the files and folders that a person chose. */
export const opensPaths = ({ permissions }: Pick<PluginManifest, 'permissions'>): boolean =>
  permissions.some((one) => one.startsWith('files.'));

/** Returns the default of a setting. A path that the plugin itself names grants no access. */
export function defaultOf(
  manifest: Pick<PluginManifest, 'permissions'>,
  field: UserConfigField,
): ConfigValue | undefined {
  return isPathField(field) && opensPaths(manifest) ? undefined : usable(field, field.default);
}

/**
 * Returns the reason why the path of a value has no file or folder of the field's type, as a
 * clause; null if it has.
 */
export async function pathProblem(
  { type }: UserConfigField,
  value: ConfigValue,
): Promise<Message | null> {
  const found = await stat(String(value)).catch(() => null);
  if (type === 'file') return found?.isFile() ? null : msg('plugins.settingNoFile');
  return found?.isDirectory() ? null : msg('plugins.settingNoFolder');
}

/** Returns the value if it has the type of its field. Empty text counts as no value. */
export function usable(field: UserConfigField, value: unknown): ConfigValue | undefined {
  if (value === undefined || value === '' || typeProblem(field, value) !== null) return undefined;
  return value as ConfigValue;
}
