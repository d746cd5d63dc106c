import { win32 } from 'node:path';

/** Program and arguments that start a file on Windows. */
export interface WindowsCommand {
  program: string;
  args: string[];
  /** True if the arguments are already a command line. */
  isVerbatim: boolean;
}

/** Limit of `cmd.exe`. */
const maxCharacters = 8_191;
const isBatch = /\.(?:cmd|bat)$/i;
/**
 * A percent sign, and an empty substring of the current folder: the text after it is no longer a
 * variable.
 */
const percent = '%%cd:~,%';

/**
 * Returns how to start a file on Windows: programs directly, `.cmd` and `.bat` files with
 * `cmd.exe`, which alone can run them (Node refuses to, CVE-2024-27980). Each argument stays
 * quoted, even if the file passes it on with `%*`, like in the standard library of Rust.
 * `cross-spawn` does not quote arguments there, and would need a mock of the platform for tests.
 * @throws Error for an argument that cannot be passed
 */
export function windowsCommand(
  program: string,
  args: readonly string[],
  systemRoot = 'C:\\Windows',
): WindowsCommand {
  if (!isBatch.test(program)) return { program, args: [...args], isVerbatim: false };
  if (program.includes('"')) throw new Error('its path holds a quote');
  const parts = [program, ...args];
  if (parts.some((part) => /[\r\n\0]/.test(part)))
    throw new Error('a batch file can be given no argument with a line break or NUL');
  const line = `"${parts.map(quoted).join(' ')}"`;
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

/**
 * A quote becomes two, and backslashes before one are doubled, so that programs parse the original
 * text.
 */
const quoted = (text: string): string =>
  `"${text
    .replaceAll(/(\\*)"/g, '$1$1""')
    .replace(/\\+$/, '$&$&')
    .replaceAll('%', () => percent)}"`;
