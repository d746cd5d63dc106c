import type { PluginTrust } from '../../../contract/contributions.ts';
import type { Message } from '../../../messages/index.ts';

type Hook = PluginTrust['hooks'][number];

/** A hook as read from the files of a plugin. Only `supported` ones may run. */
export interface PluginHook extends Omit<Hook, 'unsupportedReasonMessage'> {
  unsupportedReasonMessage?: Message | undefined;
}

/**
 * A part that is not a valid hook. `part` is a location in the plugin; `reason` continues it:
 * `hooks/hooks.json` + `holds no hooks`.
 */
export interface HookWarning {
  part: string;
  reason: Message;
}

/** An object of unvalidated JSON. */
export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
