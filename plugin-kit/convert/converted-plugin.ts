import { coerce, valid } from 'semver';
import { isObject } from '../../service/core/is-object.ts';
import { type Message, msg } from '../../service/messages/index.ts';
import type { ForeignBundle } from './foreign-bundle.ts';

/** Additions that turn a foreign plugin into a package of this host. */
export interface ConvertedPlugin {
  manifest: Record<string, unknown> & {
    id: string;
    name: string;
    version: string;
    description: string;
  };
  /** Text of `.mcp.json`; null if the bundle's own file is used. */
  mcpServers: string | null;
  /** Contents by kind, for the page. */
  contents: { title: 'skills' | 'commands' | 'agents' | 'hooks' | 'mcpServers'; names: string[] }[];
  carried: Message[];
  notCarried: Message[];
}

type Fields = Record<string, unknown>;

export function convertBundle(bundle: ForeignBundle): ConvertedPlugin {
  return bundle.kind === 'mcpb' ? fromMcpb(bundle) : fromClaude(bundle);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function baseOf({ kind, manifest }: ForeignBundle): ConvertedPlugin['manifest'] {
  const name = textOf(manifest['name']);
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const written = textOf(manifest['version']);
  const { author } = manifest;
  return {
    id: `${kind === 'mcpb' ? 'mcpb' : 'claude-plugin'}.${slug === '' ? 'plugin' : slug}`.slice(
      0,
      128,
    ),
    name: textOf(manifest['display_name']) || name || 'Plugin',
    version: valid(written) ?? coerce(written)?.version ?? '0.0.0',
    description: textOf(manifest['description']),
    author: isObject(author) ? textOf(author['name']) : textOf(author),
    category: 'ai',
    worker: { runtime: 'node' },
  };
}

const fieldTypes = ['string', 'number', 'boolean', 'file', 'directory'];

function fromMcpb(bundle: ForeignBundle): ConvertedPlugin {
  const { manifest, leftOut } = bundle;
  const server = manifest['server'] as Fields;
  const config = isObject(server['mcp_config']) ? server['mcp_config'] : null;
  const notCarried = leftOut.map((path) => msg('convert.link', { path }));
  const settings = userConfigOf(manifest['user_config'], notCarried);
  const name = textOf(manifest['name']) || 'server';
  const base = baseOf(bundle);
  for (const field of ['prompts', 'resources', 'compatibility', 'screenshots', 'privacy_policies'])
    if (field in manifest) notCarried.push(msg('convert.unknownField', { field }));
  if (config !== null && 'platform_overrides' in config)
    notCarried.push(msg('convert.platformOverrides'));
  const definition = serverOf(server, config);
  const needsFiles = Object.values(settings).some(
    ({ type }) => type === 'file' || type === 'directory',
  );
  return {
    manifest: {
      ...base,
      ...(needsFiles ? { permissions: ['files.read'] } : {}),
      ...(Object.keys(settings).length > 0 ? { userConfig: settings } : {}),
    },
    mcpServers: `${JSON.stringify({ mcpServers: { [name]: definition } }, null, 2)}\n`,
    contents: [{ title: 'mcpServers', names: [name] }],
    carried: [
      msg('convert.mcpServer', { name, command: textOf(definition['command']) }),
      ...Object.keys(settings).map((key) => msg('convert.setting', { key })),
    ],
    notCarried,
  };
}

/** Replaces `${__dirname}`, the folder of the bundle, with this host's variable. */
function serverOf(server: Fields, config: Fields | null): Fields {
  if (config === null) {
    const entry = `\${CLAUDE_PLUGIN_ROOT}/${textOf(server['entry_point'])}`;
    const command = { node: 'node', python: 'python3' }[textOf(server['type'])];
    return command === undefined ? { command: entry } : { command, args: [entry] };
  }
  const { command, args, env } = config;
  const rooted = JSON.stringify({ command, args, env }).replaceAll(
    '${__dirname}',
    '${CLAUDE_PLUGIN_ROOT}',
  );
  return JSON.parse(rooted) as Fields;
}

function userConfigOf(written: unknown, notCarried: Message[]): Record<string, Fields> {
  if (!isObject(written)) return {};
  const fields: Record<string, Fields> = {};
  for (const [key, field] of Object.entries(written)) {
    if (!isObject(field) || !fieldTypes.includes(textOf(field['type']))) {
      notCarried.push(msg('convert.unknownSetting', { key }));
      continue;
    }
    const { type, title, description, required, sensitive, multiple } = field;
    if (multiple === true) notCarried.push(msg('convert.severalValues', { key }));
    const isPlain = ['string', 'number', 'boolean'].includes(typeof field['default']);
    fields[key] = JSON.parse(
      JSON.stringify({
        type,
        title: textOf(title) || key,
        description,
        required,
        sensitive,
        default: isPlain ? field['default'] : undefined,
      }),
    ) as Fields;
  }
  return fields;
}

const carriedParts: Record<
  ConvertedPlugin['contents'][number]['title'],
  (names: string) => Message
> = {
  skills: (names) => msg('convert.skills', { names }),
  commands: (names) => msg('convert.commands', { names }),
  agents: (names) => msg('convert.agents', { names }),
  hooks: (names) => msg('convert.hooks', { names }),
  mcpServers: (names) => msg('convert.mcpServers', { names }),
};

function fromClaude(bundle: ForeignBundle): ConvertedPlugin {
  const { files, manifest, leftOut } = bundle;
  const namesIn = (pattern: RegExp): string[] => [
    ...new Set(files.flatMap((path) => pattern.exec(path)?.[1] ?? [])),
  ];
  const contents: ConvertedPlugin['contents'] = [
    { title: 'skills', names: namesIn(/^skills\/(.+)\/SKILL\.md$/) },
    { title: 'commands', names: namesIn(/^commands\/(.+)\.md$/) },
    { title: 'agents', names: namesIn(/^agents\/(.+)\.md$/) },
    { title: 'hooks', names: files.filter((path) => path === 'hooks/hooks.json') },
    { title: 'mcpServers', names: files.filter((path) => path === '.mcp.json') },
  ];
  const found = contents.filter(({ names }) => names.length > 0);
  const notCarried = leftOut.map((path) => msg('convert.link', { path }));
  if (files.includes('.lsp.json') || 'lspServers' in manifest)
    notCarried.push(msg('convert.languageServers'));
  if (files.some((path) => path.startsWith('output-styles/')))
    notCarried.push(msg('convert.outputStyles'));
  return {
    manifest: baseOf(bundle),
    mcpServers: null,
    contents: found,
    carried: found.map(({ title, names }) => carriedParts[title](names.join(', '))),
    notCarried,
  };
}
