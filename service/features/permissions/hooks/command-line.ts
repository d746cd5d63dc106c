import { isAbsolute, resolve } from 'node:path';
import { HostError } from '../../../core/host-error.ts';
import { findProgram } from '../../../platform/find-program.ts';
import {
  expandRoots,
  type PluginPlaces,
  settingReference,
  settingVariable,
} from '../../contributions/index.ts';
import type { RunnableHook } from './runnable-hook.ts';
import { msg } from '../../../messages/index.ts';

/** The variable that holds the command on Windows, where each program parses quotes differently. */
const commandVariable = 'HOST_HOOK_COMMAND';

/** A program with its arguments and the complete environment that it is started with. */
export interface CommandLine {
  /** Absolute. */
  program: string;
  args: string[];
  env: Record<string, string>;
}

/**
 * Returns the program to start for a command hook: a shell, or the command itself if it has `args`.
 * @throws HostError `program_missing`
 */
export async function commandLine(
  { command = '', args, shell = 'sh', plugin }: RunnableHook,
  cwd: string,
  path: string | undefined,
): Promise<CommandLine> {
  const expanded = (text: string): string => (plugin === null ? text : expandRoots(text, plugin));
  if (args !== undefined) {
    const program = await programOf(expanded(command), cwd, path);
    return { program, args: args.map(expanded), env: {} };
  }
  if (process.platform === 'win32') return onWindows(expanded(command));
  const program = shell === 'sh' ? '/bin/sh' : await programOf('bash', cwd, path);
  return { program, args: ['-c', plugin === null ? command : forShell(command, plugin)], env: {} };
}

/**
 * Replaces placeholders by shell variables, so that the shell never parses a setting as a command.
 */
function forShell(command: string, plugin: PluginPlaces): string {
  const named = command.replace(settingReference, (written: string, key: string) =>
    Object.hasOwn(plugin.settings, key) ? `\${${settingVariable(key)}}` : written,
  );
  if (named === command && isPlain(plugin)) return expandRoots(command, plugin);
  return withQuotes(named);
}

/** Inserts folders and settings as quoted variables, because they may contain spaces or quotes. */
function withQuotes(command: string): string {
  let quote = '';
  return command.replace(quotesAndVariables, (token) => {
    if (token.startsWith('$')) {
      if (quote === "'" && token.includes('_OPTION_')) return `'"${token}"'`;
      return quote === '' ? `"${token}"` : token;
    }
    const isEnd = token === quote || (quote === "'" && token.endsWith("'"));
    if (isEnd) quote = '';
    else if (quote === '' && !token.startsWith('\\')) quote = token;
    return token;
  });
}

const root = '(?:HOST_|CLAUDE_)?PLUGIN_(?:ROOT|DATA)';
const variable = `(?:${root}|CLAUDE_PLUGIN_OPTION_\\w+)`;
const quotesAndVariables = new RegExp(
  `\\\\[^]|["']|\\$\\{${variable}\\}|\\$${variable}(?!\\w)`,
  'g',
);

function isPlain({ root, data }: PluginPlaces): boolean {
  return [root, data].every((folder) => /^[\w@%+=:,./-]+$/.test(folder));
}

/** `cmd` expands the variable before it parses the line. */
function onWindows(command: string): CommandLine {
  const program = process.env['COMSPEC'] ?? 'C:\\Windows\\System32\\cmd.exe';
  return {
    program,
    args: ['/d', '/s', '/c', `%${commandVariable}%`],
    env: { [commandVariable]: command },
  };
}

async function programOf(name: string, cwd: string, path: string | undefined): Promise<string> {
  if (isAbsolute(name)) return name;
  if (/[\\/]/.test(name)) return resolve(cwd, name);
  const found = await findProgram(name, path);
  if (found !== null) return found;
  throw new HostError('upstream-failed', 'program_missing', msg('hooks.programMissing', { name }));
}
