/** Where to find programs and files, the language, and what Windows programs cannot run without. */
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
 * What a child process may see of the host's environment. It is a list of what is let through, so
 * tokens, keys and switches such as NODE_OPTIONS stay behind without being named.
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

/** The value of a variable, whose name Windows knows in any spelling. */
export function variableOf(
  env: Readonly<Record<string, string>>,
  name: string,
  platform = process.platform,
): string | undefined {
  if (platform !== 'win32') return env[name];
  const same = Object.keys(env).find((key) => key.toUpperCase() === name.toUpperCase());
  return same === undefined ? undefined : env[same];
}

/** An environment in which these variables stand in place of those of the same name. */
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

/** Values of the host's own environment that its log must not show. */
export function secretsInEnvironment(
  own: Readonly<Record<string, string | undefined>> = process.env,
): string[] {
  const isSecret =
    /token|secret|passw|credential|api_?key|access_?key|private_?key|machine_?key|_key$/i;
  return Object.entries(own).flatMap(([name, value]) =>
    value !== undefined && isSecret.test(name) ? [value] : [],
  );
}
