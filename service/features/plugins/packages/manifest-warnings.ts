import { fieldProblem } from '../../../core/field-problem.ts';
import { isObject } from '../../../core/is-object.ts';
import type { z } from 'zod';
import {
  NodeContextSource,
  NodeContextOptions,
  NodeInput,
  NodeDefinition,
  NodeOptionSource,
  NodeOutput,
  NodeWidget,
  type PluginWarning,
  PluginManifest,
  PluginMethod,
  UserConfigField,
} from '../../../contract/index.ts';
import { printable } from '../../../platform/archives/archive-problems.ts';
import { nearest } from './nearest-match.ts';
import { type Message, msg } from '../../../messages/index.ts';

type Fields = Record<string, unknown>;
type Add = (path: string, message: Message, suggestion?: string) => void;

/** Longer lists would not be read. */
const maxWarnings = 100;

const fieldsIn = (value: unknown): [string, Fields][] =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, one]) => (isObject(one) ? [[key, one]] : []))
    : [];
const listIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);
const keysOf = (schema: z.ZodObject): string[] => Object.keys(schema.shape);

/** `$schema` helps editors; the host ignores it. */
const rootKeys = [...keysOf(PluginManifest), '$schema'];
const aiToolKeys = ['name', 'description', 'method', 'inputSchema', 'effect'];
const workerKeys = ['runtime', 'entry', 'memoryMb'];

/**
 * Returns warnings about fields of an accepted manifest that have no effect. Paths are dotted:
 * `flowNodes.0.inputs.1.widget`.
 */
export function manifestWarnings(written: unknown, manifest: PluginManifest): PluginWarning[] {
  if (!isObject(written)) return [];
  const warnings: PluginWarning[] = [];
  const add: Add = (path, message, suggestion) => {
    if (warnings.length >= maxWarnings) return;
    const warning = fieldProblem({ path: printable(path), message });
    warnings.push(suggestion === undefined ? warning : { ...warning, suggestion });
  };
  unknownKeys(written, '', rootKeys, add);
  if (isObject(written.ui)) unknownKeys(written.ui, 'ui', ['entry'], add);
  if (isObject(written.worker)) unknownKeys(written.worker, 'worker', workerKeys, add);
  for (const [name, method] of fieldsIn(written.methods))
    unknownKeys(method, `methods.${name}`, keysOf(PluginMethod), add);
  for (const [key, field] of fieldsIn(written.userConfig))
    unknownKeys(field, `userConfig.${key}`, keysOf(UserConfigField), add);
  listIn(written.aiTools).forEach((tool, index) =>
    unknownKeys(tool, `aiTools.${index}`, aiToolKeys, add),
  );
  listIn(written.flowNodes).forEach((node, index) =>
    nodeWarnings(node, `flowNodes.${index}`, manifest, add),
  );
  pathsWithoutPermission(manifest, add);
  return warnings;
}

function unknownKeys(fields: Fields, at: string, allowedKeys: readonly string[], add: Add): void {
  for (const key of Object.keys(fields)) {
    if (allowedKeys.includes(key)) continue;
    const path = at === '' ? key : `${at}.${key}`;
    add(path, msg('package.unknownField'), nearest(key, allowedKeys));
  }
}

function nodeWarnings(node: Fields, at: string, manifest: PluginManifest, add: Add): void {
  unknownKeys(node, at, keysOf(NodeDefinition), add);
  const tools = manifest.aiTools.map(({ name }) => name);
  if (typeof node.tool === 'string' && !tools.includes(node.tool)) {
    const message = msg('package.nodeWithoutTool', { name: printable(node.tool) });
    add(`${at}.tool`, message, nearest(node.tool, tools));
  }
  const names = listIn(node.inputs).map(({ name }) => String(name));
  listIn(node.inputs).forEach((input, index) =>
    inputWarnings({ input, names, at: `${at}.inputs.${index}` }, manifest, add),
  );
  listIn(node.outputs).forEach((output, index) =>
    unknownKeys(output, `${at}.outputs.${index}`, keysOf(NodeOutput), add),
  );
}

interface WrittenInput {
  input: Fields;
  /** The names of all inputs of the node. */
  names: readonly string[];
  at: string;
}

function inputWarnings(
  { input, names, at }: WrittenInput,
  manifest: PluginManifest,
  add: Add,
): void {
  unknownKeys(input, at, keysOf(NodeInput), add);
  const { widget, source, context, optionsFromContext: from } = input;
  const widgets: readonly string[] = NodeWidget.options;
  if (typeof widget === 'string' && !widgets.includes(widget)) {
    add(`${at}.widget`, msg('package.unknownWidget'), nearest(widget, widgets));
  }
  malformed(NodeOptionSource, source, `${at}.source`, add);
  malformed(NodeContextSource, context, `${at}.context`, add);
  malformed(NodeContextOptions, from, `${at}.optionsFromContext`, add);
  if (isObject(source)) sourceWarnings(source, `${at}.source`, manifest, add);
  if (!isObject(context)) return;
  isThere(
    context.method,
    Object.keys(manifest.methods),
    { at: `${at}.context.method`, problem: noMethod },
    add,
  );
  isThere(context.from, names, { at: `${at}.context.from`, problem: noInput }, add);
}

function sourceWarnings(source: Fields, at: string, manifest: PluginManifest, add: Add): void {
  const methods = Object.keys(manifest.methods);
  const tools = manifest.aiTools.map(({ name }) => name);
  isThere(source.method, methods, { at: `${at}.method`, problem: noMethod }, add);
  isThere(source.tool, tools, { at: `${at}.tool`, problem: noTool }, add);
  if (source.method === undefined && source.tool === undefined) add(at, msg('package.noOptions'));
}

const noMethod = (name: string): Message => msg('package.noMethod', { name });
const noInput = (name: string): Message => msg('package.noInput', { name });
const noTool = (name: string): Message => msg('package.noTool', { name });

function isThere(
  name: unknown,
  available: readonly string[],
  { at, problem }: { at: string; problem: (name: string) => Message },
  add: Add,
): void {
  if (typeof name !== 'string' || available.includes(name)) return;
  add(at, problem(printable(name)), nearest(name, available));
}

function malformed(schema: z.ZodType, value: unknown, at: string, add: Add): void {
  if (value !== undefined && !schema.safeParse(value).success) add(at, msg('package.malformed'));
}

function pathsWithoutPermission({ userConfig, permissions }: PluginManifest, add: Add): void {
  if (permissions.some((one) => one.startsWith('files.'))) return;
  for (const [key, { type }] of Object.entries(userConfig))
    if (type === 'file' || type === 'directory')
      add(`userConfig.${key}`, msg('package.pathWithoutPermission'));
}
