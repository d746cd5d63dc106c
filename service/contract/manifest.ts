import { z } from 'zod';
import { HostMessage } from './host-message.ts';

const JsonSchema = z.record(z.string(), z.unknown());

export const Effect = z.enum(['read', 'write', 'execute', 'external']);
export type Effect = z.output<typeof Effect>;

export const Permission = z.enum(['files.read', 'files.write', 'notifications', 'network']);
export type Permission = z.output<typeof Permission>;

/** Device names of Windows, also with an extension. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;

/** Lower case, dot-separated, 1 to 128 characters; each part starts with a letter or digit. */
export const PluginId = z
  .string()
  .max(128)
  .regex(/^[a-z0-9][a-z0-9_-]*(\.[a-z0-9][a-z0-9_-]*)*$/, 'field.pluginId')
  .refine((id) => !deviceName.test(id), 'field.windowsDevice');

/** Reserved for packages of the built-in source. */
export const reservedNamespace = 'host.';

const PackagePath = z
  .string()
  .regex(/^(?!\/)(?!.*(^|\/)\.\.?(\/|$))[^\\\0]+$/, 'field.packagePath');

export const PluginMethod = z.object({
  description: z.string().optional(),
  params: JsonSchema.optional(),
  result: JsonSchema.optional(),
  timeoutSeconds: z.number().positive().max(86_400).optional(),
});

export const AiTool = z.object({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'field.toolName'),
  description: z.string(),
  method: z.string(),
  inputSchema: JsonSchema.optional(),
  effect: Effect.default('external'),
});

const Option = z.object({ value: z.string(), label: z.string() });

/** Control for an input of a node. Any other value is treated as `json`. */
export const NodeWidget = z.enum([
  'text',
  'number',
  'switch',
  'select',
  'textarea',
  'json',
  'analyze',
  'rows',
]);
export type NodeWidget = z.output<typeof NodeWidget>;

/** Paths of value and label in each entry of a list: property names separated by dots. */
const Mapping = {
  value: z.string().optional(),
  label: z.string().optional(),
  labelSecondary: z.string().optional(),
};

/**
 * A list from a method of the plugin. In `params`, `{{inputs.<name>}}` is replaced by another input
 * of the node.
 */
export const NodeOptionSource = z.looseObject({
  method: z.string().optional(),
  tool: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  ...Mapping,
  multiple: z.boolean().optional(),
});
export type NodeOptionSource = z.output<typeof NodeOptionSource>;

/** Data that a method of the plugin creates from the value of the input `from`. */
export const NodeContextSource = z.looseObject({ from: z.string(), method: z.string() });

/** Options from the context of the named input; `path` leads to the list in it. */
export const NodeContextOptions = z.union([
  z.string(),
  z.looseObject({ context: z.string(), path: z.string().optional(), ...Mapping }),
]);
export type NodeContextOptions = z.output<typeof NodeContextOptions>;

/** Ignores a malformed optional part instead of rejecting the package. */
const lenient = <T extends z.ZodType>(part: T) => part.optional().catch(undefined);

export const NodeInput = z.looseObject({
  name: z.string(),
  label: z.string(),
  widget: z.string(),
  required: z.boolean().optional(),
  default: z.unknown().optional(),
  options: z.array(Option).optional(),
  source: lenient(NodeOptionSource),
  context: lenient(NodeContextSource),
  optionsFromContext: lenient(NodeContextOptions),
});
export type NodeInput = z.output<typeof NodeInput>;

/**
 * `path` leads to the value in the tool's result. An output with `branch` is followed only if the
 * value equals it.
 */
export const NodeOutput = z.looseObject({
  name: z.string(),
  label: z.string(),
  path: z.string().optional(),
  branch: z.union([z.string(), z.number(), z.boolean()]).optional().catch(undefined),
});
export type NodeOutput = z.output<typeof NodeOutput>;

export const NodeDefinition = z.looseObject({
  type: z.string(),
  tool: z.string(),
  label: z.string(),
  color: z.string().optional(),
  icon: z.string().optional(),
  inputs: z.array(NodeInput),
  outputs: z.array(NodeOutput),
});
export type NodeDefinition = z.output<typeof NodeDefinition>;

export const UserConfigField = z.object({
  type: z.enum(['string', 'number', 'boolean', 'file', 'directory']),
  title: z.string(),
  description: z.string().optional(),
  required: z.boolean().optional(),
  default: z.unknown().optional(),
  sensitive: z.boolean().optional(),
});
export type UserConfigField = z.output<typeof UserConfigField>;

/**
 * Keys of settings are folder names in the sandbox of a worker, so only plain characters are
 * allowed.
 */
export const settingKey = /^[A-Za-z_][\w.-]{0,99}$/;
export const maxSettings = 100;

const UserConfig = z.record(z.string(), UserConfigField).check(({ value, issues }) => {
  const keys = Object.keys(value);
  if (keys.length > maxSettings)
    issues.push({
      code: 'custom',
      input: value,
      message: 'field.tooMany',
      params: { limit: maxSettings },
    });
  for (const key of keys.filter((one) => !settingKey.test(one)))
    issues.push({
      code: 'custom',
      input: value,
      path: [key],
      message: 'field.settingKey',
    });
});

/** A part of a package that has no effect, or does not work as written. */
export const PluginWarning = z.object({
  /** Dotted path of a manifest field, or a file with its line; empty: the whole plugin. */
  path: z.string(),
  /** A sentence, or a continuation of the path: `is unknown and has no effect`. */
  message: z.string(),
  text: HostMessage.optional(),
  /** The value that was probably meant. */
  suggestion: z.string().optional(),
});
export type PluginWarning = z.output<typeof PluginWarning>;

/** As in semver.org, but at most 15 digits, which every program can represent. */
const number = '(?:0|[1-9]\\d{0,14})';
const preRelease = `(?:${number}|\\d*[A-Za-z-][0-9A-Za-z-]*)`;
const build = '[0-9A-Za-z-]+';
const semver = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-${preRelease}(?:\\.${preRelease})*)?(?:\\+${build}(?:\\.${build})*)?$`,
);
const Version = z.string().max(256).regex(semver, 'field.semanticVersion');

/** Maximum number of methods, of AI tools and of workflow nodes. */
const maxEntries = 500;

/** `manifest.json` at the root of a package. Unknown keys are ignored. */
export const PluginManifest = z.object({
  id: PluginId,
  name: z.string().min(1).max(200),
  version: Version,
  description: z.string().max(4_000).default(''),
  author: z.string().max(200).default(''),
  category: z.string().max(100).default('other'),
  icon: z.string().max(300).default(''),
  permissions: z.array(Permission).default([]),
  official: z.boolean().default(false),
  minHostVersion: Version.optional(),
  ui: z.object({ entry: PackagePath.default('ui/index.html') }).default({ entry: 'ui/index.html' }),
  worker: z
    .object({
      runtime: z.enum(['java', 'node']).default('java'),
      entry: PackagePath.optional(),
      memoryMb: z.int().min(16).max(65_536).optional(),
    })
    .default({ runtime: 'java' }),
  methods: z
    .record(z.string(), PluginMethod)
    .refine((methods) => Object.keys(methods).length <= maxEntries, {
      error: 'field.tooMany',
      params: { limit: maxEntries },
    })
    .default({}),
  aiTools: z.array(AiTool).max(maxEntries).default([]),
  flowNodes: z.array(NodeDefinition).max(maxEntries).default([]),
  userConfig: UserConfig.default({}),
  database: z.boolean().default(false),
});
export type PluginManifest = z.output<typeof PluginManifest>;
