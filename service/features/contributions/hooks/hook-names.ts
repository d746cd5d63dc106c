import { createHash } from 'node:crypto';
import type { PluginHook } from './plugin-hook.ts';

const maxNameLength = 40;
/** Starts at a word boundary; trying each letter would take minutes for a long word. */
const script = /(?<![\w.-])[\w.-]+(?=\.(?:sh|bash|py|[cm]?[jt]s|rb|pl|php|ps1|cmd|bat|exe)\b)/g;
const searchedLength = 4_096;

/**
 * The last part of a hook's name: the author's name, otherwise `<event>-<script>-<digest>`, which
 * does not change when other hooks are added or removed.
 */
export function hookName(hook: Omit<PluginHook, 'name'>, written: readonly unknown[]): string {
  const provided = written
    .map((name) => (typeof name === 'string' ? plain(name) : ''))
    .find(Boolean);
  if (provided !== undefined) return provided;
  const { event, matcher, type, command = '', args = [], url } = hook;
  const digest = createHash('sha256')
    .update(JSON.stringify([event, matcher, type, command, args, url]))
    .digest('hex');
  const called = [command, ...args].join(' ').slice(0, searchedLength).match(script)?.at(-1) ?? '';
  return [plain(event), plain(called), digest.slice(0, 8)].filter(Boolean).join('-');
}

/** Numbers hooks with the same name in order, across the documents of one plugin. */
export function withUniqueNames(hooks: readonly PluginHook[]): PluginHook[] {
  const taken = new Set<string>();
  return hooks.map((hook) => {
    let name = hook.name;
    for (let next = 2; taken.has(name); next += 1) name = `${hook.name}-${next}`;
    taken.add(name);
    return { ...hook, name };
  });
}

function plain(text: string): string {
  return text
    .slice(0, searchedLength)
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .slice(0, maxNameLength)
    .replace(/^[-.]+|[-.]+$/g, '');
}
