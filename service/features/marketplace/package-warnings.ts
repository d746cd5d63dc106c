import type { PluginWarning } from '../../contract/index.ts';
import { packageHooks, parseHooks, type PluginHook } from '../contributions/index.ts';
import {
  type CheckedPackage,
  manifestWarnings,
  packageTexts,
  pageWarnings,
} from '../plugins/index.ts';

const manifestFile = 'manifest.json';
const ownScript = /^"?\$\{?(?:CLAUDE_|HOST_)?PLUGIN_ROOT\}?"?\/([\w./-]+)/;

type Files = Awaited<ReturnType<typeof packageTexts>>['files'];

/** What in a package that can be installed has no effect, or does not work as its author thinks. */
export async function packageWarnings(checked: CheckedPackage): Promise<PluginWarning[]> {
  const { entry } = checked.manifest.ui;
  const isPage = (name: string): boolean => name === entry || /^ui\/[^/]+\.html?$/i.test(name);
  const isInspected = (name: string): boolean => name === manifestFile || isPage(name);
  const { texts, files } = await packageTexts(checked, isInspected);
  const pages = [...texts].filter(([name]) => isPage(name));
  return [
    ...manifestWarnings(parsed(texts.get(manifestFile)), checked.manifest),
    ...pages.flatMap(([name, html]) => pageWarnings(name, html)),
    ...(await hookWarnings(checked, files)),
  ];
}

export async function hookWarnings(
  checked: CheckedPackage,
  files: Files,
): Promise<PluginWarning[]> {
  const { documents, warnings } = await packageHooks({
    kindOf: (path) => Promise.resolve(files.has(path) ? 'file' : null),
    readText: async (path) => {
      if (!files.has(path)) return { state: 'absent' };
      const text = (await packageTexts(checked, (name) => name === path)).texts.get(path);
      return text === undefined
        ? { state: 'unusable', reason: 'is larger than 1 MiB' }
        : { state: 'read', text };
    },
  });
  const found = documents.flatMap(({ from, document }) => {
    const { hooks, warnings: unread } = parseHooks(document, checked.manifest.id, from);
    const broken = hooks.flatMap((hook) => {
      const message = hookProblem(hook, files);
      return message === null ? [] : [{ path: `${from}: ${hook.name}`, message }];
    });
    return [...unread.map(asWarning), ...broken];
  });
  return [...warnings.map(asWarning), ...found];
}

const asWarning = ({ part, reason }: { part: string; reason: string }): PluginWarning => ({
  path: part,
  message: reason,
});

function hookProblem(
  { command = '', args, supported, unsupportedReason = '' }: PluginHook,
  files: Files,
): string | null {
  if (!supported) return `never runs. ${unsupportedReason}`;
  const script = ownScript.exec(command)?.[1];
  if (script === undefined) return null;
  const file = files.get(script);
  if (file === undefined) return `cannot run: ${script} is not in the package`;
  const isRun = args !== undefined || process.platform !== 'win32';
  return isRun && !file.executable ? `cannot run: ${script} is not executable` : null;
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
