import type { PluginWarning } from '../../contract/index.ts';
import { fieldProblem } from '../../core/field-problem.ts';
import { packageHooks, parseHooks, type PluginHook } from '../contributions/index.ts';
import {
  type CheckedPackage,
  manifestWarnings,
  packageTexts,
  pageWarnings,
} from '../plugins/index.ts';
import { type Message, msg } from '../../messages/index.ts';

const manifestFile = 'manifest.json';
const ownScript = /^"?\$\{?(?:CLAUDE_|HOST_)?PLUGIN_ROOT\}?"?\/([\w./-]+)/;

type Files = Awaited<ReturnType<typeof packageTexts>>['files'];

/** Parts of an installable package that have no effect, or do not work as intended. */
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

/** Warnings about hooks in a package that cannot run. */
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
        ? { state: 'unusable', reason: msg('store.fileTooLargeToRead') }
        : { state: 'read', text };
    },
  });
  const found = documents.flatMap(({ from, document }) => {
    const { hooks, warnings: unread } = parseHooks(document, checked.manifest.id, from);
    const broken = hooks.flatMap((hook) => {
      const message = hookProblem(hook, files);
      return message === null ? [] : [fieldProblem({ path: `${from}: ${hook.name}`, message })];
    });
    return [...unread.map(asWarning), ...broken];
  });
  return [...warnings.map(asWarning), ...found];
}

const asWarning = ({ part, reason }: { part: string; reason: Message }): PluginWarning =>
  fieldProblem({ path: part, message: reason });

function hookProblem(
  { command = '', args, supported, unsupportedReasonMessage: unsupportedReason }: PluginHook,
  files: Files,
): Message | null {
  if (!supported) return msg('store.hookNeverRuns', { reason: unsupportedReason ?? '' });
  const script = ownScript.exec(command)?.[1];
  if (script === undefined) return null;
  const file = files.get(script);
  if (file === undefined) return msg('store.hookScriptMissing', { path: script });
  const isRun = args !== undefined || process.platform !== 'win32';
  return isRun && !file.executable ? msg('store.hookScriptNotExecutable', { path: script }) : null;
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
