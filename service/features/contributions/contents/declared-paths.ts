import { visible } from '../../../platform/archives/archive-problems.ts';
import type { ContentWarnings } from './content-warnings.ts';
import { msg } from '../../../messages/index.ts';

const maxDeclared = 2_000;
const maxPathLength = 1_024;
/** Some authors write the whole path of an installed plugin; what stands for it is the plugin itself. */
const rootVariable = /^\$\{(?:CLAUDE_PLUGIN_ROOT|HOST_PLUGIN_ROOT|PLUGIN_ROOT)\}(?=\/|$)/;

/** One thing a field names: a path in the plugin, or an object that stands in the manifest. */
export type Declared = { path: string } | { inline: object; from: string };

/** What a field names, in its order; `field` is its name. What cannot be a path gives a warning. */
export function declaredIn(field: string, value: unknown, warnings: ContentWarnings): Declared[] {
  if (value === undefined || value === null) return [];
  const items: unknown[] = Array.isArray(value) ? value : [value];
  if (items.length > maxDeclared)
    warnings.add(field, msg('contributions.tooManyPlaces', { limit: maxDeclared }));
  return items.slice(0, maxDeclared).flatMap((item, index): Declared[] => {
    const from = Array.isArray(value) ? `${field}[${index}]` : field;
    if (typeof item === 'object' && item !== null) return [{ inline: item, from }];
    if (typeof item === 'string') {
      const path = pluginPathOf(item);
      if (path !== null) return [{ path }];
      warnings.add(from, msg('contributions.notPluginPath'));
    } else warnings.add(from, msg('contributions.notPathOrObject'));
    return [];
  });
}

/** A path as written, relative to the plugin without `./`; null when it could lead out of it. */
export function pluginPathOf(written: string): string | null {
  const path = written.trim().replace(rootVariable, '.');
  if (path === '' || path.length > maxPathLength) return null;
  if (visible(path) !== path || path.includes('\\')) return null;
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return null;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.includes('..') ? null : parts.join('/');
}
