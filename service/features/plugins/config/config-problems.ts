import type { PluginManifest } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';

type Named = Pick<PluginManifest, 'name' | 'userConfig'>;

/** Keys of required settings that have no value. */
export function requiredWithout(
  { userConfig }: Pick<Named, 'userConfig'>,
  values: Record<string, unknown>,
): string[] {
  const required = Object.entries(userConfig).filter(([, field]) => field.required);
  return required.map(([key]) => key).filter((key) => !Object.hasOwn(values, key));
}

export function invalidConfig(
  { userConfig }: Pick<Named, 'userConfig'>,
  errors: { path: string; message: string }[],
): HostError {
  const reasons = errors.map(
    ({ path, message }) => `${userConfig[path]?.title ?? path} ${message}`,
  );
  return new HostError(
    'invalid',
    'invalid_config',
    `The settings cannot be stored: ${reasons.join('; ')}.`,
    { errors },
  );
}

/** The missing settings as a clause. */
export function missingReason(
  { userConfig }: Pick<Named, 'userConfig'>,
  missing: readonly string[],
): string {
  const named = missing.map((key) => `${userConfig[key]?.title ?? key} (${key})`).join(', ');
  return `needs a value for ${named}. Enter it in the settings of the plugin.`;
}

/** For a call that comes before the required settings have values. */
export function configMissing(manifest: Named, missing: readonly string[]): HostError {
  return new HostError(
    'conflict',
    'config_missing',
    `${manifest.name} ${missingReason(manifest, missing)}`,
    { errors: missing.map((path) => ({ path, message: 'is missing' })) },
  );
}
