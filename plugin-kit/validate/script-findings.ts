import { nearest } from '../../service/features/plugins/packages/nearest-match.ts';
import { nodesOf, parseScript, ScriptError } from '../bundle/module-imports.ts';
import { type Finding, errorAt, warningAt } from './finding.ts';

type Syntax = ReturnType<typeof parseScript>;

interface BlockedName {
  /** A sentence that says what to do instead. */
  advice: string;
}

const viaWorker = 'Let the worker do it: call a method with PluginClient.invoke.';
const noStorage = 'Keep it in the worker, in its data directory.';
const noDialog = 'Show it in the page.';

/** Globals that throw or do nothing in the frame of a page. */
const blockedCalls: Record<string, BlockedName> = {
  fetch: { advice: viaWorker },
  XMLHttpRequest: { advice: viaWorker },
  WebSocket: { advice: viaWorker },
  EventSource: { advice: viaWorker },
  Worker: { advice: viaWorker },
  SharedWorker: { advice: viaWorker },
  eval: { advice: 'Write the code into a script of the package.' },
  Function: { advice: 'Write the code into a script of the package.' },
  importScripts: { advice: viaWorker },
  alert: { advice: noDialog },
  confirm: { advice: noDialog },
  prompt: { advice: noDialog },
};

const blockedObjects: Record<string, BlockedName> = {
  localStorage: { advice: noStorage },
  sessionStorage: { advice: noStorage },
  indexedDB: { advice: noStorage },
  caches: { advice: noStorage },
};

const blockedMembers: Record<string, BlockedName> = {
  'document.cookie': { advice: noStorage },
  'navigator.sendBeacon': { advice: viaWorker },
  'navigator.serviceWorker': { advice: viaWorker },
  'window.open': { advice: 'A page opens no window.' },
};

/** Context of a checked script. */
export interface ScriptFacts {
  sourceType: 'module' | 'script';
  /** Methods of the manifest; null if it cannot be read. */
  methods: readonly string[] | null;
}

/**
 * Finds syntax errors in a page's script, names that the page's frame blocks, and calls of unknown
 * methods.
 */
export function scriptFindings(
  file: string,
  text: string,
  { sourceType, methods }: ScriptFacts,
): Finding[] {
  try {
    const root = parseScript(text, sourceType);
    const own = declaredNames(root);
    const runners = runnerNames(root);
    return [...nodesOf(root)].flatMap((node) => {
      const { line = 1, column = 0 } = node.loc?.start ?? {};
      const position = { file, line, column: column + 1 };
      const method = unknownMethod(node, methods, runners);
      if (method !== null) {
        const message = `The page calls ${method}, which is no method of the manifest. Add it to methods, or correct the name.`;
        return [warningAt('unknown_method', position, message, nearest(method, methods ?? []))];
      }
      const found = blockedBy(node, own);
      if (found === null) return [];
      const message = `${found.name} is blocked in plugin pages. ${found.advice}`;
      return [warningAt('script_blocked', position, message)];
    });
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    const { line, column, message } = error;
    return [
      errorAt('script_invalid', { file, line, column }, `The script cannot be read: ${message}.`),
    ];
  }
}

/**
 * Returns the name in `PluginClient.invoke('name')` or in a call of a runner if the manifest has no such
 * method.
 */
function unknownMethod(
  node: Syntax,
  methods: readonly string[] | null,
  runners: ReadonlySet<string>,
): string | null {
  const { callee, arguments: args } = node;
  if (methods === null || node.type !== 'CallExpression' || !isNode(callee)) return null;
  if (!runners.has(plainName(callee) ?? '') && !isMember(callee, 'PluginClient', 'invoke'))
    return null;
  const [name] = Array.isArray(args) ? (args as unknown[]) : [];
  const value = isNode(name) && name.type === 'Literal' ? name['value'] : null;
  return typeof value === 'string' && !methods.includes(value) ? value : null;
}

const isMember = ({ object, property }: Syntax, of: string, name: string): boolean =>
  plainName(object) === of && plainName(property) === name;

/** Returns variables that hold a runner of `PluginPage`, except names that the script declares twice. */
function runnerNames(root: Syntax): Set<string> {
  const declared: string[] = [];
  const names = new Set<string>();
  for (const { type, id, init, params } of nodesOf(root)) {
    if (Array.isArray(params)) declared.push(...params.map((one) => plainName(one) ?? ''));
    const name = type === 'VariableDeclarator' ? plainName(id) : null;
    if (name === null) continue;
    declared.push(name);
    if (!isNode(init) || init.type !== 'CallExpression' || !isNode(init['callee'])) continue;
    if (isMember(init['callee'], 'PluginPage', 'runner')) names.add(name);
  }
  for (const name of names)
    if (declared.filter((one) => one === name).length > 1) names.delete(name);
  return names;
}

/** Returns names that the script declares itself; they are not globals. */
function declaredNames(root: Syntax): Set<string> {
  const names = new Set<string>();
  for (const node of nodesOf(root)) {
    const { id, local, params } = node;
    for (const one of [id, local, ...(Array.isArray(params) ? (params as unknown[]) : [])])
      for (const inner of isNode(one) ? nodesOf(one) : [])
        if (inner.type === 'Identifier') names.add(String(inner['name']));
  }
  return names;
}

const isNode = (value: unknown): value is Syntax =>
  typeof value === 'object' && value !== null && 'type' in value;

type Blocked = { name: string } & BlockedName;

function blockedBy(node: Syntax, own: ReadonlySet<string>): Blocked | null {
  const { callee, object, property } = node;
  if (/^(?:Call|New)Expression$/.test(node.type))
    return blockedAs(blockedCalls, plainName(callee) ?? windowMember(callee), own);
  if (node.type !== 'MemberExpression') return null;
  const of = plainName(object);
  const member = plainName(property);
  if (of === null || own.has(of)) return null;
  return (
    blockedAs(blockedMembers, `${of}.${member ?? ''}`, own) ??
    blockedAs(blockedObjects, of === 'window' ? member : of, own)
  );
}

function blockedAs(
  table: Record<string, BlockedName>,
  name: string | null,
  own: ReadonlySet<string>,
): Blocked | null {
  if (name === null || own.has(name) || !Object.hasOwn(table, name)) return null;
  return { name, advice: table[name]?.advice ?? '' };
}

const plainName = (node: unknown): string | null =>
  isNode(node) && node.type === 'Identifier' ? String(node['name']) : null;

const windowMember = (node: unknown): string | null =>
  isNode(node) && node.type === 'MemberExpression' && plainName(node['object']) === 'window'
    ? plainName(node['property'])
    : null;
