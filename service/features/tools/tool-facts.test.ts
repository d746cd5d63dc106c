import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { builtInTool, builtInToolNames } from '../../testing/built-in-tools.ts';

const root = join(import.meta.dirname, '../..');

/** Files that run tools by name, or name a secret like a tool, and declare nothing about them. */
const callers: Record<string, readonly string[]> = {
  'features/agent/prepare-run.ts': ['memory_search'],
  'features/notifications/notification-messages.ts': ['web_search'],
  'features/workflows/templates/templates.ts': ['http_get', 'confirm_send', 'http_request'],
};

/** Returns tool names in a list, as a key, in a comparison or as an argument. */
function namesIn(source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isName = ts.isStringLiteralLike(node) || ts.isIdentifier(node);
    if (isName && builtInTool(node.text) && isMention(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true));
  return found;
}

/**
 * Returns false for the value of a property (`name`, `tool`): that is the tool itself, or a node that
 * runs it.
 */
function isMention(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent)) return parent.name === node;
  return !ts.isImportSpecifier(parent) && !ts.isLiteralTypeNode(parent);
}

it('finds tool names in code that makes decisions by name', () => {
  for (const source of [
    `const guarded = new Set(['web_search', 'x']);`,
    `const aliases = { web_fetch: ['WebFetch'] };`,
    `if (tool === 'execute_command') ask();`,
    `switch (tool) { case 'http_get': deny(); }`,
  ])
    expect(namesIn(source), source).toHaveLength(1);
  expect(namesIn(`const tool = { name: 'web_fetch', effect: 'read' };`)).toEqual([]);
});

it('code decides by properties of a tool, never by its name', async () => {
  const files = await readdir(root, { recursive: true });
  const mentions = await Promise.all(
    files
      .filter((file) => /^(?:features|app|platform|core|http)\/.*(?<!\.test)\.ts$/.test(file))
      .map(async (file) => {
        const names = namesIn(await readFile(join(root, file), 'utf8'));
        return names
          .filter((name) => !callers[file]?.includes(name))
          .map((name) => `${file}: ${name}`);
      }),
  );
  expect(builtInToolNames.length).toBeGreaterThan(30);
  expect(mentions.flat()).toEqual([]);
});
