import { byName } from './by-name.ts';
import type { ContentWarnings } from './content-warnings.ts';
import { pluginPathOf } from './declared-paths.ts';
import { inParallel } from '../../../core/in-parallel.ts';
import { markdownFiles } from './markdown-files.ts';
import { firstParts, readMarkdownPart, readsAtOnce } from './markdown-part.ts';
import type { PluginCommand } from './plugin-contents.ts';
import type { PluginReading } from './plugin-reading.ts';
import { lastPartOf } from './plugin-tree.ts';
import { nameOfFile, visibleText, usableName } from './visible-text.ts';
import { msg } from '../../../messages/index.ts';

const maxHintLength = 500;
const maxDescriptionLength = 4_000;

/** Path of a command, and the manifest fields that override those of its file. */
interface CommandFile {
  path: string;
  name: string;
  description?: string | null;
  argumentHint?: string | null;
}

/** Reads every command: `commands/**` if `useDefaults` is set, and what `declared` names. */
export async function readCommands(
  reading: PluginReading,
  declared: unknown,
  useDefaults: boolean,
): Promise<PluginCommand[]> {
  const { warnings } = reading;
  const request = { field: 'commands', value: declared, useDefaults } as const;
  const { files, others } = await markdownFiles(reading, request);
  const all: CommandFile[] = [
    ...files.map(({ path, relativePath }) => ({ path, name: commandNameOf(relativePath) })),
    ...others.flatMap(({ inline, from }) => mapped(inline, from, warnings)),
  ];
  const read = await inParallel(firstParts(all, 'commands', warnings), readsAtOnce, (file) =>
    readCommand(reading, file),
  );
  const commands = read.filter((command) => command !== null);
  return byName(commands, (command) => command.path, warnings);
}

function commandNameOf(relativePath: string): string {
  return relativePath.split('/').map(nameOfFile).join(':');
}

/** Commands of a map such as `{"about": {"source": "./README.md", "description": "…"}}`. */
function mapped(inline: object, from: string, warnings: ContentWarnings): CommandFile[] {
  return Object.entries(inline).flatMap(([key, value]: [string, unknown]) => {
    const part = `${from}.${key}`;
    const entry = (value ?? {}) as Record<string, unknown>;
    const name = usableName(key);
    const path = typeof entry.source === 'string' ? pluginPathOf(entry.source) : null;
    if (name === null || path === null) {
      warnings.add(part, msg('contributions.commandWithoutFile'));
      return [];
    }
    const description = visibleText(entry.description, maxDescriptionLength);
    return [
      { path, name, description, argumentHint: visibleText(entry.argumentHint, maxHintLength) },
    ];
  });
}

async function readCommand(
  reading: PluginReading,
  { path, name, ...overrides }: CommandFile,
): Promise<PluginCommand | null> {
  const part = await readMarkdownPart(reading, path);
  if (part === null || (!part.hasFields && isReadme(path) && overrides.description === undefined)) {
    return null;
  }
  const hint = visibleText(part.field('argument-hint'), maxHintLength);
  return {
    name,
    description: overrides.description ?? part.description,
    argumentHint: overrides.argumentHint ?? hint,
    path,
  };
}

/** A README without fields is for people who browse the folder, and not a command. */
export function isReadme(path: string): boolean {
  return lastPartOf(path).toLowerCase() === 'readme.md';
}
