import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import en from '../../../service/messages/en.json' with { type: 'json' };

const shell = join(import.meta.dirname, '../..');

function keysOf(value: unknown, path: string[] = []): string[] {
  if (typeof value === 'string') return [path.join('.')];
  return Object.entries(value as object).flatMap(([key, each]) => keysOf(each, [...path, key]));
}

async function textsOf(folder: string, pattern: RegExp): Promise<string[]> {
  const files = await readdir(join(shell, folder), { recursive: true });
  const own = files.filter((file) => pattern.test(file) && !/\.test\.|testing\//.test(file));
  return Promise.all(own.map((file) => readFile(join(shell, folder, file), 'utf8')));
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns a pattern of the keys that a composed key can become. */
const patternOf = (template: string): RegExp =>
  new RegExp(
    `^${template
      .split(/\$\{[^}]*\}/)
      .map(escaped)
      .join('[\\w-]+(?:\\.[\\w-]+)?')}$`,
  );

it('every text is used', async () => {
  const sources = (await textsOf('.', /\.tsx?$/)).join('\n');
  const keys = new Set(keysOf(en.shell));
  expect(keys.size).toBeGreaterThan(500);
  const named = new Set(
    [...sources.matchAll(/['"]([\w-]+(?:\.[\w-]+)+)['"]/g)].map(([, key]) => key),
  );
  const templates = sources.matchAll(/`([a-zA-Z]+\.[^`\s]*\$\{[^`]*)`/g);
  const patterns = [...templates].map(([, template = '']) => patternOf(template));
  // The names of languages are read by `message-groups.ts`.
  named.add('language.name');
  const unused = [...keys].filter(
    (key) => !named.has(key) && !patterns.some((pattern) => pattern.test(key)),
  );
  expect(unused).toEqual([]);
});
