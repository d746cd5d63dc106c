import type { PluginManifest } from '../../../contract/index.ts';
import { type FieldError, HostError } from '../../../core/host-error.ts';
import { type Message, msg } from '../../../messages/index.ts';

type Named = Pick<PluginManifest, 'name' | 'userConfig'>;

/** Returns the keys of required settings without a value. */
export function requiredWithout(
  { userConfig }: Pick<Named, 'userConfig'>,
  values: Record<string, unknown>,
): string[] {
  const required = Object.entries(userConfig).filter(([, field]) => field.required);
  return required.map(([key]) => key).filter((key) => !Object.hasOwn(values, key));
}

export function invalidConfig(
  { userConfig }: Pick<Named, 'userConfig'>,
  errors: FieldError[],
): HostError {
  const problems = errors.map(({ path, message: reason }) =>
    msg('plugins.fieldProblem', { path: userConfig[path]?.title ?? path, reason }),
  );
  return new HostError('invalid', 'invalid_config', msg('plugins.invalidConfig', { problems }), {
    errors,
  });
}

/** Returns the missing settings as a clause. */
export function missingReason(
  { userConfig }: Pick<Named, 'userConfig'>,
  missing: readonly string[],
): Message {
  return msg('plugins.needsSettings', { settings: settingsNamed({ userConfig }, missing) });
}

const settingsNamed = (
  { userConfig }: Pick<Named, 'userConfig'>,
  keys: readonly string[],
): Message[] =>
  keys.map((key) => msg('plugins.settingNamed', { title: userConfig[key]?.title ?? key, key }));

/** Returns the error for a call that is made before the required settings have values. */
export function configMissing(manifest: Named, missing: readonly string[]): HostError {
  return new HostError(
    'conflict',
    'config_missing',
    msg('plugins.configMissing', {
      name: manifest.name,
      settings: settingsNamed(manifest, missing),
    }),
    { errors: missing.map((path) => ({ path, message: msg('plugins.settingMissing') })) },
  );
}
