import { printable } from '../../../platform/archives/archive-problems.ts';
import { hookEventOf, isToolEvent } from './hook-events.ts';
import { type Fields, isTextList, type PluginHook } from './plugin-hook.ts';
import { readMatcher } from './read-matcher.ts';

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
  const unsupportedReason =
    eventProblem(context) ?? conditionProblem(handler) ?? typeProblem(hook, handler);
  return unsupportedReason === null ? hook : { ...hook, supported: false, unsupportedReason };
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

function eventProblem({ event, matcher }: HandlerContext): string | null {
  const hookEvent = hookEventOf(event);
  if (hookEvent === null) return `This host has no event “${printable(event)}”.`;
  if (!isToolEvent(hookEvent)) return null;
  if (matcher !== undefined && matcher !== null && typeof matcher !== 'string') {
    const names = isTextList(matcher) && matcher.length > 0;
    if (!names) return 'Its matcher is no text.';
  }
  const read = readMatcher(matcherOf(matcher));
  return 'problem' in read ? read.problem : null;
}

/** Running a hook without what its author made it depend on would be wrong. */
function conditionProblem(handler: Fields): string | null {
  if (isSet(handler.if)) return 'It has an `if` condition, which this host does not judge.';
  if (isSet(handler.env)) return 'It sets variables (`env`), which this host does not pass on.';
  if (isSet(handler.cwd)) return 'It asks for a folder (`cwd`); hooks run in the plugin’s own.';
  const { shell } = handler;
  if (isSet(shell) && shell !== 'bash' && shell !== 'sh') {
    return 'It asks for a shell that this host does not use.';
  }
  return null;
}

function typeProblem(hook: Omit<PluginHook, 'name'>, handler: Fields): string | null {
  if (hook.type === 'http') return httpProblem(hook, handler);
  if (hook.type === 'command') return commandProblem(hook, handler);
  return `Hooks of the type “${hook.type}” do not run in this host.`;
}

function commandProblem(hook: Omit<PluginHook, 'name'>, handler: Fields): string | null {
  const { command, args = [] } = hook;
  if (command === undefined || command.trim() === '') return 'It names no command.';
  if (isSet(handler.args) && !isTextList(handler.args))
    return 'Its arguments are no list of texts.';
  const texts = [command, ...args];
  if (texts.some((text) => text.length > maxCommandLength) || args.length >= maxArguments) {
    return `Its command is longer than ${maxCommandLength} characters or ${maxArguments} arguments.`;
  }
  if (texts.some((text) => text.includes('\0'))) {
    return 'Its command has a character that no process can be given.';
  }
  const foreign = foreignRoot(texts.join('\n'));
  return foreign === null
    ? null
    : `It needs the variable ${foreign}, which this host does not set.`;
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

function httpProblem(hook: Omit<PluginHook, 'name'>, handler: Fields): string | null {
  if (hook.url === undefined || !/^https?:\/\//i.test(hook.url) || !URL.canParse(hook.url)) {
    return 'It names no http or https address.';
  }
  return isSet(handler.headers) ? 'It sends headers of its own, which this host does not.' : null;
}

/** Authors also write `null`, `""` and `{}` for nothing. */
function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
