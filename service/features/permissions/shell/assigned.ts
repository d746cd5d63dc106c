import { type Message, msg } from '../../../messages/index.ts';
/** The code that an assignment lets the shell, or a program that reads the variable, run. */
export interface Assigned {
  /** Text that a shell will run. */
  payload?: string;
  /** Reason why the result is unknown. */
  opaque?: Message;
}

/** Variables whose value is a command. */
const holdsCommand =
  /^(?:PROMPT_COMMAND|LESSOPEN|LESSCLOSE|RSYNC_RSH|CVS_RSH|GIT_SSH|GIT_EXTERNAL_DIFF|CCACHE_PREFIX\w*|COMSPEC|\w+_COMMAND|\w*(?:PAGER|EDITOR|VISUAL|BROWSER|ASKPASS))$/;
/** The shell runs substitutions in the value of a prompt, even if quotes protect them at first. */
const isPrompt = /^PS[0-4]$/;

const notLiteral = msg('command.setsUnclearCommand');

/** Returns what an assignment makes run. `value` is null if only the shell can compute it. */
export function assigned(name: string, value: string | null): Assigned {
  if (isPrompt.test(name) && value !== null)
    return /\$\(|`/.test(value) ? { payload: `: "${value.replaceAll('"', '\\"')}"` } : {};
  if (!holdsCommand.test(name)) return {};
  return value === null ? { opaque: notLiteral } : { payload: value.replace(/^[|-]+/, '') };
}

/**
 * Returns true for quoted text that is evaluated anyway, as a subscript or an array list: `test -v
 * 'a[$(rm x)]'` runs rm.
 */
export function hidesSubstitution(text: string): boolean {
  const start = text.search(/\[|=\(/);
  if (start < 0 || !/'|\\[$`]/.test(text)) return false;
  return /\$\(|`/.test(text.slice(start));
}
