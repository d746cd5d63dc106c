import type { PluginTrust } from '../../../contract/contributions.ts';

/** One hook that a plugin brings, as read from its files. Only what is `supported` may ever run. */
export type PluginHook = PluginTrust['hooks'][number];

/** `part` is a place in the plugin; `reason` goes on from it: `hooks/hooks.json` + `holds no hooks`. */
export interface HookWarning {
  part: string;
  reason: string;
}

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
