import { win32 } from 'node:path';

/** Program and arguments that start a file on Windows. */
export interface WindowsCommand {
  program: string;
  args: string[];
  /** The arguments are a command line already. */
  isVerbatim: boolean;
}

/** What `cmd.exe` takes. */
const maxCharacters = 8_191;
const isBatch = /\.(?:cmd|bat)$/i;
/** A percent sign, and an empty piece of the current folder: what stands behind it is no variable any more. */
const percent = '%%cd:~,%';

/**
 * What to start on Windows: programs as they are, `.cmd` and `.bat` files by `cmd.exe`, which alone can
 * run them (Node refuses to, CVE-2024-27980). Each argument stays in quotes throughout, also where the
 * file hands it on by `%*`; this is how the standard library of Rust does it. `cross-spawn` lets an
 * argument out of its quotes there, and would have to be told that it is on Windows to be tested.
 * @throws Error where an argument cannot be given
 */
export function windowsCommand(
  program: string,
  args: readonly string[],
  systemRoot = 'C:\\Windows',
): WindowsCommand {
  if (!isBatch.test(program)) return { program, args: [...args], isVerbatim: false };
  if (program.includes('"')) throw new Error('its path holds a quote');
  const words = [program, ...args];
  if (words.some((word) => /[\r\n\0]/.test(word)))
    throw new Error('a batch file can be given no argument with a line break or NUL');
  const line = `"${words.map(quoted).join(' ')}"`;
  if (line.length > maxCharacters)
    throw new Error(
      `its arguments are longer than the ${maxCharacters} characters of a batch file`,
    );
  return {
    program: win32.join(systemRoot, 'System32', 'cmd.exe'),
    args: ['/d', '/e:on', '/v:off', '/s', '/c', line],
    isVerbatim: true,
  };
}

/** A quote becomes two, and backslashes before one are doubled: so programs read what was meant. */
const quoted = (text: string): string =>
  `"${text
    .replaceAll(/(\\*)"/g, '$1$1""')
    .replace(/\\+$/, '$&$&')
    .replaceAll('%', () => percent)}"`;
