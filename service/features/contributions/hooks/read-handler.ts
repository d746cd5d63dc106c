import { printable } from '../../../platform/archives/archive-problems.ts';
import { hookEventOf, isToolEvent } from './hook-events.ts';
import { type Fields, isTextList, type PluginHook } from './plugin-hook.ts';
import { readMatcher } from './read-matcher.ts';
import { type Message, msg, textOf } from '../../../messages/index.ts';

/** The limit of hooks in the settings. */
const maxCommandLength = 32_768;
const defaultTimeoutSeconds = 60;
const maxTimeoutSeconds = 600;
/** No call waits for a quarter of an hour, so 5000 in a field of seconds means 5 s. */
const leastMilliseconds = 1_000;
const maxArguments = 500;

/** Keys of platform-specific commands; `command` is for all other platforms. */
const commandKeys = new Map<string, readonly string[]>([
  ['win32', ['commandWindows', 'command_windows', 'windows', 'powershell']],
  ['darwin', ['osx', 'bash']],
  ['linux', ['linux', 'bash']],
]);

/** The event and matcher that a handler belongs to. */
export interface HandlerContext {
  /** Unvalidated name of the event. */
  event: string;
  /** Unvalidated matcher of the handler or of its group. */
  matcher: unknown;
  platform: NodeJS.Platform;
}

/**
 * Reads one handler. If the host cannot run it exactly as written, it is unsupported, with a
 * reason.
 */
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

/** A command that is a list contains the program and its arguments. */
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
  // The default shell, `sh`, does not support the syntax of bash.
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

/** A hook must not run without a condition that its author set. */
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

/**
 * An unknown root variable would expand to nothing, so the script would be searched in `/` and fail
 * silently.
 */
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

/** Authors also write `null`, `""` and `{}` for unset values. */
function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
