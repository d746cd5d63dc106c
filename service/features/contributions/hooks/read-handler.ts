import { printable } from '../../../platform/archives/archive-problems.ts';
import { hookEventOf, isToolEvent } from './hook-events.ts';
import { type Fields, isTextList, type PluginHook } from './plugin-hook.ts';
import { readMatcher } from './read-matcher.ts';
import { type Message, msg, textOf } from '../../../messages/index.ts';

/** Those of hooks that the settings hold. */
const maxCommandLength = 32_768;
const defaultTimeoutSeconds = 60;
const maxTimeoutSeconds = 600;
/** Nobody lets a call wait for a quarter of an hour: 5000 in a field that counts seconds means 5 s. */
const leastMilliseconds = 1_000;
const maxArguments = 500;

/** Where authors put the command of one platform; `command` is for all the others. */
const commandKeys = new Map<string, readonly string[]>([
  ['win32', ['commandWindows', 'command_windows', 'windows', 'powershell']],
  ['darwin', ['osx', 'bash']],
  ['linux', ['linux', 'bash']],
]);

export interface HandlerContext {
  /** As written. */
  event: string;
  /** As written, of the handler or of its group. */
  matcher: unknown;
  platform: NodeJS.Platform;
}

/** One handler object; what the host cannot do exactly as written makes it unsupported, with a reason. */
export function readHandler(handler: Fields, context: HandlerContext): Omit<PluginHook, 'name'> {
  const event = hookEventOf(context.event) ?? printable(context.event);
  const found = commandOf(handler, context.platform);
  const type = typeOf(handler, found.command);
  const hook: Omit<PluginHook, 'name'> = {
    event,
    matcher: matcherOf(context.matcher),
    type,
    ...(type === 'http' ? addressOf(handler) : found),
    timeoutSeconds: timeoutOf(handler),
    enabled: handler.enabled !== false && handler.disabled !== true,
    ...(handler.failClosed === true ? { failClosed: true } : {}),
    supported: true,
  };
  const reason = eventProblem(context) ?? conditionProblem(handler) ?? typeProblem(hook, handler);
  if (reason === null) return hook;
  const unsupportedReason = textOf(reason);
  return { ...hook, supported: false, unsupportedReason, unsupportedReasonMessage: reason };
}

function typeOf(handler: Fields, command: string | undefined): string {
  if (typeof handler.type === 'string') return printable(handler.type);
  if (command === undefined && typeof handler.url === 'string') return 'http';
  return command === undefined && typeof handler.prompt === 'string' ? 'prompt' : 'command';
}

function addressOf({ url }: Fields): { url?: string } {
  return typeof url === 'string' ? { url } : {};
}

/** A command that is a list is its program and its arguments. */
function commandOf(
  handler: Fields,
  platform: NodeJS.Platform,
): Pick<PluginHook, 'command' | 'args' | 'shell'> {
  const special = commandKeys.get(platform)?.find((key) => typeof handler[key] === 'string');
  const written = special === undefined ? handler.command : handler[special];
  const args = isTextList(handler.args) ? handler.args.slice(0, maxArguments) : [];
  if (isTextList(written)) {
    const [program = '', ...rest] = written;
    return { command: program, args: [...rest, ...args].slice(0, maxArguments) };
  }
  if (typeof written !== 'string') return {};
  if (isTextList(handler.args)) return { command: written, args };
  // The usual shell knows less.
  const isForBash = handler.shell === 'bash' || special === 'bash';
  return { command: written, ...(isForBash ? { shell: 'bash' } : {}) };
}

function matcherOf(matcher: unknown): string | null {
  if (typeof matcher === 'string') return matcher;
  return isTextList(matcher) ? matcher.join('|') : null;
}

function timeoutOf(handler: Fields): number {
  const exact = [handler.timeoutSeconds, handler.timeoutSec].find(isPositive);
  const loose = isPositive(handler.timeout) ? handler.timeout : defaultTimeoutSeconds;
  const seconds = exact ?? (loose >= leastMilliseconds ? loose / 1_000 : loose);
  return Math.min(seconds, maxTimeoutSeconds);
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

function eventProblem({ event, matcher }: HandlerContext): Message | null {
  const hookEvent = hookEventOf(event);
  if (hookEvent === null) return msg('contributions.unknownEvent', { event: printable(event) });
  if (!isToolEvent(hookEvent)) return null;
  if (matcher !== undefined && matcher !== null && typeof matcher !== 'string') {
    const names = isTextList(matcher) && matcher.length > 0;
    if (!names) return msg('contributions.matcherNotText');
  }
  const read = readMatcher(matcherOf(matcher));
  return 'problem' in read ? read.problem : null;
}

/** Running a hook without what its author made it depend on would be wrong. */
function conditionProblem(handler: Fields): Message | null {
  if (isSet(handler.if)) return msg('contributions.hookCondition');
  if (isSet(handler.env)) return msg('contributions.hookVariables');
  if (isSet(handler.cwd)) return msg('contributions.hookFolder');
  const { shell } = handler;
  if (isSet(shell) && shell !== 'bash' && shell !== 'sh') {
    return msg('contributions.hookShell');
  }
  return null;
}

function typeProblem(hook: Omit<PluginHook, 'name'>, handler: Fields): Message | null {
  if (hook.type === 'http') return httpProblem(hook, handler);
  if (hook.type === 'command') return commandProblem(hook, handler);
  return msg('contributions.hookType', { type: hook.type });
}

function commandProblem(hook: Omit<PluginHook, 'name'>, handler: Fields): Message | null {
  const { command, args = [] } = hook;
  if (command === undefined || command.trim() === '')
    return msg('contributions.hookWithoutCommand');
  if (isSet(handler.args) && !isTextList(handler.args)) return msg('contributions.hookArguments');
  const texts = [command, ...args];
  if (texts.some((text) => text.length > maxCommandLength) || args.length >= maxArguments) {
    return msg('contributions.hookTooLong', {
      characters: maxCommandLength,
      arguments: maxArguments,
    });
  }
  if (texts.some((text) => text.includes('\0'))) {
    return msg('contributions.hookCharacter');
  }
  const foreign = foreignRoot(texts.join('\n'));
  return foreign === null ? null : msg('contributions.hookForeignVariable', { name: foreign });
}

/** Without it such a command would look for its script in the root of the disk, and fail silently. */
function foreignRoot(command: string): string | null {
  if (/\bPLUGIN_(?:ROOT|DATA)\b|\b(?:HOST|CLAUDE)_PLUGIN_(?:ROOT|DATA)\b/.test(command))
    return null;
  const used = /\$\{?([A-Z][A-Z0-9_]*_PLUGIN_(?:ROOT|DATA))(?=\}|\W|$)(?!:?[-=])/.exec(
    command,
  )?.[1];
  return used === undefined || command.includes(`${used}=`) ? null : used;
}

function httpProblem(hook: Omit<PluginHook, 'name'>, handler: Fields): Message | null {
  if (hook.url === undefined || !/^https?:\/\//i.test(hook.url) || !URL.canParse(hook.url)) {
    return msg('contributions.hookWithoutAddress');
  }
  return isSet(handler.headers) ? msg('contributions.hookHeaders') : null;
}

/** Authors also write `null`, `""` and `{}` for nothing. */
function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
