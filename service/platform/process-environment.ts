/**
 * Variables for finding programs and files, the language, and those that Windows programs require.
 */
const allowed = new Set([
  ...[
    'PATH',
    'HOME',
    'USER',
    'LOGNAME',
    'SHELL',
    'LANG',
    'LANGUAGE',
    'TZ',
    'TMPDIR',
    'TEMP',
    'TMP',
  ],
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'USERNAME', 'USERPROFILE'],
  ...['APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)'],
  ...['HOMEDRIVE', 'HOMEPATH', 'NUMBER_OF_PROCESSORS', 'PROCESSOR_ARCHITECTURE'],
]);

/**
 * Returns the variables of the host's environment that a child process can see. It is an allow
 * list, so tokens, keys and switches such as NODE_OPTIONS are excluded by default.
 */
export function processEnvironment(
  own: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const entries = Object.entries(own).filter(([name, value]) => {
    const key = process.platform === 'win32' ? name.toUpperCase() : name;
    return value !== undefined && (allowed.has(key) || /^LC_[A-Z]+$/.test(key));
  });
  return { ...utf8Locale(own), ...(Object.fromEntries(entries) as Record<string, string>) };
}

/** Without a UTF-8 locale, Java cannot open files whose names are not ASCII. */
function utf8Locale(own: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const locale = own['LC_ALL'] ?? own['LC_CTYPE'] ?? own['LANG'];
  return process.platform === 'linux' && locale === undefined ? { LC_ALL: 'C.UTF-8' } : {};
}

/** Returns the value of a variable; on Windows, names are case-insensitive. */
export function variableOf(
  env: Readonly<Record<string, string>>,
  name: string,
  platform = process.platform,
): string | undefined {
  if (platform !== 'win32') return env[name];
  const same = Object.keys(env).find((key) => key.toUpperCase() === name.toUpperCase());
  return same === undefined ? undefined : env[same];
}

/** Returns an environment with these variables, which replace those with the same name. */
export function environmentWith(
  env: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>>,
  platform = process.platform,
): Record<string, string> {
  if (platform !== 'win32') return { ...env, ...more };
  const replaced = new Set(Object.keys(more).map((name) => name.toUpperCase()));
  const remaining = Object.entries(env).filter(([name]) => !replaced.has(name.toUpperCase()));
  return { ...Object.fromEntries(remaining), ...more };
}

/** Returns the values of the host's environment that its log must mask. */
export function secretsInEnvironment(
  own: Readonly<Record<string, string | undefined>> = process.env,
): string[] {
  const isSecret =
    /token|secret|passw|credential|api_?key|access_?key|private_?key|machine_?key|_key$/i;
  return Object.entries(own).flatMap(([name, value]) =>
    value !== undefined && isSecret.test(name) ? [value] : [],
  );
}
