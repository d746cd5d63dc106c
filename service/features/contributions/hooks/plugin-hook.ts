import type { PluginTrust } from '../../../contract/contributions.ts';
import type { Message } from '../../../messages/index.ts';

type Hook = PluginTrust['hooks'][number];

/** One hook that a plugin brings, as read from its files. Only what is `supported` may ever run. */
export interface PluginHook extends Omit<Hook, 'unsupportedReasonMessage'> {
  unsupportedReasonMessage?: Message | undefined;
}

/** `part` is a place in the plugin; `reason` goes on from it: `hooks/hooks.json` + `holds no hooks`. */
export interface HookWarning {
  part: string;
  reason: Message;
}

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
