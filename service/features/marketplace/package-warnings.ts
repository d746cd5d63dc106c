import type { PluginWarning } from '../../contract/index.ts';
import { parseHooks, type PluginHook } from '../contributions/index.ts';
import {
  type CheckedPackage,
  manifestWarnings,
  packageTexts,
  pageWarnings,
} from '../plugins/index.ts';

const hooksFile = 'hooks/hooks.json';
const ownScript = /^"?\$\{?(?:CLAUDE_|HOST_)?PLUGIN_ROOT\}?"?\/([\w./-]+)/;

/** What in a package that can be installed has no effect, or does not work as its author thinks. */
export async function packageWarnings(checked: CheckedPackage): Promise<PluginWarning[]> {
  const isWanted = (name: string): boolean =>
    name === 'manifest.json' || name === hooksFile || /^ui\/[^/]+\.html?$/i.test(name);
  const { texts, files } = await packageTexts(checked, isWanted);
  const pages = [...texts].filter(([name]) => name.startsWith('ui/'));
  return [
    ...manifestWarnings(parsed(texts.get('manifest.json')), checked.manifest),
    ...pages.flatMap(([name, html]) => pageWarnings(name, html)),
    ...hookWarnings(checked.manifest.id, texts.get(hooksFile), files),
  ];
}

function hookWarnings(
  id: string,
  text: string | undefined,
  files: ReadonlyMap<string, { executable: boolean }>,
): PluginWarning[] {
  if (text === undefined) return [];
  const document = parsed(text);
  if (document === undefined)
    return [{ path: hooksFile, message: 'is not JSON, so it has no hooks' }];
  const { hooks, warnings } = parseHooks(document, id, hooksFile);
  return [
    ...warnings.map(({ part, reason }) => ({ path: part, message: reason })),
    ...hooks.flatMap((hook) => {
      const message = hookProblem(hook, files);
      return message === null ? [] : [{ path: `${hooksFile}: ${hook.name}`, message }];
    }),
  ];
}

function hookProblem(
  { command = '', args, supported, unsupportedReason = '' }: PluginHook,
  files: ReadonlyMap<string, { executable: boolean }>,
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
