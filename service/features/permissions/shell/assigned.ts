import { type Message, msg } from '../../../messages/index.ts';
/** What a variable lets the shell, or a program that reads it, run. */
export interface Assigned {
  /** For a shell. */
  payload?: string;
  /** Why nobody can tell. */
  opaque?: Message;
}

/** Their value is a command. */
const holdsCommand =
  /^(?:PROMPT_COMMAND|LESSOPEN|LESSCLOSE|RSYNC_RSH|CVS_RSH|GIT_SSH|GIT_EXTERNAL_DIFF|CCACHE_PREFIX\w*|COMSPEC|\w+_COMMAND|\w*(?:PAGER|EDITOR|VISUAL|BROWSER|ASKPASS))$/;
/** The shell runs the substitutions in their value, also where quotes keep them at first. */
const isPrompt = /^PS[0-4]$/;

const notLiteral = msg('command.setsUnclearCommand');

/** `value` is null where only the shell knows it. */
export function assigned(name: string, value: string | null): Assigned {
  if (isPrompt.test(name) && value !== null)
    return /\$\(|`/.test(value) ? { payload: `: "${value.replaceAll('"', '\\"')}"` } : {};
  if (!holdsCommand.test(name)) return {};
  return value === null ? { opaque: notLiteral } : { payload: value.replace(/^[|-]+/, '') };
}

/** Quoted, yet evaluated: a subscript, or the list of an array. `test -v 'a[$(rm x)]'` runs rm. */
export function hidesSubstitution(text: string): boolean {
  const start = text.search(/\[|=\(/);
  if (start < 0 || !/'|\\[$`]/.test(text)) return false;
  return /\$\(|`/.test(text.slice(start));
}
