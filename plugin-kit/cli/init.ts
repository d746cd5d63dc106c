import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { PluginId } from '../../service/contract/manifest.ts';
import { isReservedId } from '../../service/features/plugins/packages/package-identity.ts';
import { filesBelow } from '../files-below.ts';
import { kitRoot, typesRoot } from '../kit-root.ts';
import { type Command, UsageError } from './command.ts';
import { readOptions } from './read-options.ts';
import { issueMessages, textOf } from '../../service/messages/index.ts';

const runtimes = ['node', 'java', 'typescript'] as const;
export type TemplateRuntime = (typeof runtimes)[number];

const idExample = 'com.example.my-plugin';

export const initCommand: Command = {
  usage: '<directory> [--runtime=node|java|typescript] [--id=…] [--name=…]',
  summary: 'Creates a complete plugin to start from.',
  options: {
    runtime: 'Language of the worker: node (the default), java or typescript.',
    id: 'Id of the plugin, such as com.example.my-plugin. Default: com.example and the name of the folder.',
    name: 'Name that people see. Default: the name of the folder.',
  },
  async run(args, { print }) {
    const kinds = { runtime: 'value', id: 'value', name: 'value' } as const;
    const { options, positionals } = readOptions(args, kinds, 1);
    const [directory] = positionals;
    if (directory === undefined) throw new UsageError('Name the folder of the new plugin.');
    const target = resolve(directory);
    await makePlugin({
      directory: target,
      runtime: runtimeOf(options.runtime ?? 'node'),
      id: idOf(options.id ?? defaultId(target)),
      name: options.name ?? defaultName(target),
    });
    print(`Created a plugin in ${directory}. Next steps:`);
    print(`  plugin-host-plugin dev ${directory}`);
    print(`  plugin-host-plugin test ${directory}`);
    print(`  plugin-host-plugin pack ${directory}`);
    return 0;
  },
};

function runtimeOf(text: string): TemplateRuntime {
  const found = runtimes.find((one) => one === text);
  if (found !== undefined) return found;
  throw new UsageError(`There is no template for “${text}”. Use one of ${runtimes.join(', ')}.`);
}

function idOf(id: string): string {
  if (isReservedId(id))
    throw new UsageError(
      `Ids that begin with host. are for plugins of the host; take one such as ${idExample}.`,
    );
  const [problem] = issueMessages(PluginId.safeParse(id).error?.issues ?? [], id);
  if (problem !== undefined)
    throw new UsageError(`The id “${id}” ${textOf(problem.message)}, such as ${idExample}.`);
  return id;
}

function defaultId(directory: string): string {
  const slug = basename(directory)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `com.example.${slug === '' ? 'plugin' : slug}`;
}

function defaultName(directory: string): string {
  const text = basename(directory).replace(/[-_]+/g, ' ').trim();
  return text === '' ? 'Plugin' : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Values of a new plugin. */
export interface NewPlugin {
  directory: string;
  runtime: TemplateRuntime;
  id: string;
  name: string;
}

/**
 * Writes the files of a new plugin.
 * @throws Error if the folder is not empty
 */
export async function makePlugin(plugin: NewPlugin): Promise<void> {
  const { directory, runtime } = plugin;
  const there = await readdir(directory).catch(() => []);
  if (there.length > 0)
    throw new Error(`${directory} is not empty. Name a folder that is new or empty.`);
  for (const part of ['common', runtime]) {
    const template = join(kitRoot, 'templates', part);
    for (const path of await filesBelow(template, { withTests: true })) {
      const target = join(directory, path.replace(/(^|\/)_/, '$1.'));
      await mkdir(dirname(target), { recursive: true });
      const text = await readFile(join(template, path), 'utf8');
      await writeFile(target, filled(text, plugin, path.endsWith('.json')));
    }
  }
  await copyKit(directory, runtime);
}

const workerFiles: Record<TemplateRuntime, string> = {
  node: 'backend/worker.mjs',
  java: 'backend/src/plugin/Main.java',
  typescript: 'backend/worker.ts',
};

/** Fills in a template. Names are escaped for JSON and scripts, as they may contain quotes. */
function filled(
  text: string,
  { id, name, runtime, directory }: NewPlugin,
  isJson: boolean,
): string {
  const quoted = (value: string): string =>
    JSON.stringify(value)
      .slice(1, -1)
      .replaceAll("'", isJson ? "'" : '’')
      .replaceAll('<', '\\u003c');
  const values: Record<string, string> = {
    id,
    name: quoted(name),
    runtime: runtime === 'java' ? 'java' : 'node',
    folder: defaultId(directory).slice('com.example.'.length),
    workerFile: workerFiles[runtime],
    kitFolders: runtime === 'java' ? '' : ' and `backend/plugin-kit/`',
    mainScript:
      runtime === 'typescript'
        ? '<script src="main.js" type="module"></script>'
        : '<script src="main.js" defer></script>',
  };
  return text.replace(/\{\{(\w+)\}\}/g, (all, key: string) => values[key] ?? all);
}

/** Copies files for editors and for starting the worker by hand. */
async function copyKit(directory: string, runtime: TemplateRuntime): Promise<void> {
  const types = typesRoot;
  const copies: [from: string, to: string][] = [
    [join(types, 'manifest.schema.json'), '.plugin-kit/manifest.schema.json'],
    [join(types, 'plugin-client.d.ts'), 'ui/plugin-kit/plugin-client.d.ts'],
    [join(types, 'page.d.ts'), 'ui/plugin-kit/page.d.ts'],
    [join(kitRoot, 'page'), 'ui/plugin-kit'],
    ...(runtime === 'java'
      ? ([[join(types, 'java'), '.plugin-kit/java']] as [string, string][])
      : ([
          [join(kitRoot, 'node'), 'backend/plugin-kit'],
          [join(types, 'worker'), 'backend/plugin-kit'],
        ] as [string, string][])),
  ];
  for (const [from, to] of copies) {
    const target = join(directory, to);
    await mkdir(dirname(target), { recursive: true });
    await cp(from, target, { recursive: true });
  }
}
