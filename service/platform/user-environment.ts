import { processEnvironment } from './process-environment.ts';

/** Parts of names, as `_` and the like separate them, that say: this is a secret. */
const secretWords = new Set([
  ...['TOKEN', 'TOKENS', 'SECRET', 'SECRETS', 'PASSWORD', 'PASSWORDS', 'PASSWD', 'PASSPHRASE'],
  ...['PASS', 'PWD', 'PW', 'KEY', 'KEYS', 'CREDENTIAL', 'CREDENTIALS', 'CREDS', 'CRED', 'AUTH'],
  ...['AUTHORIZATION', 'OAUTH', 'COOKIE', 'COOKIES', 'SESSION', 'SESSIONID', 'PAT', 'BEARER'],
  ...['JWT', 'DSN', 'PIN', 'OTP', 'SIGNATURE', 'PRIVATE', 'CERT', 'PFX', 'LICENSE'],
]);

/** Names that are written as one word: PGPASSWORD, APIKEY, SSHPASS. */
const secretEnding =
  /(?:TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|SSHPASS|APIKEYS?|ACCESSKEY|PRIVATEKEY|AUTHKEY|CREDENTIALS?)$/;

/**
 * Their names only sound like secrets: folders, kinds of desktops, and sockets, which are guarded by
 * the system. Without `SSH_AUTH_SOCK` nobody could push; it lets keys be used, never read.
 */
const harmless = new Set([
  ...['PWD', 'OLDPWD', 'SSH_AUTH_SOCK', 'XAUTHORITY', 'SESSION_MANAGER', 'DESKTOP_SESSION'],
  ...['DBUS_SESSION_BUS_ADDRESS', 'GNOME_DESKTOP_SESSION_ID', 'XDG_SESSION_TYPE'],
  ...['XDG_SESSION_ID', 'XDG_SESSION_CLASS', 'XDG_SESSION_DESKTOP', 'SSL_CERT_FILE'],
  ...['SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
]);

/** Values that say by themselves what they are, wherever in the value they stand. */
const secretValues = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY/,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/,
  /(?<![\w-])(?:sk|rk|pk)[-_][\w-]{16,}/,
  /\b(?:gh[pousr]_|github_pat_|glpat-|npm_|hf_|dop_v1_|shp(?:at|ca|pa|ss)_)\w{16,}/,
  /\bxox[abeoprs]-[\w-]{10,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAIza[\w-]{30,}/,
  /\bya29\.[\w-]{20,}/,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/,
  /[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]*:[^\s/?#@]+@/i,
  /\b(?:Bearer|Basic) [\w+/.=~-]{12,}/i,
  /(?:^|[?&;\s])(?:password|passwd|pwd|token|secret|api[-_]?key|access[-_]?key)=[^\s&;]+/i,
  /;\s*AccountKey=/i,
];

/** A shorter text could stand in any value by chance. */
const minOwnSecretLength = 6;

/**
 * What a command without a sandbox sees: the environment of the host, without the host's own
 * variables and without all that looks like a secret. `ownSecrets` are the token and the machine key.
 */
export function userEnvironment(
  ownSecrets: readonly string[],
  own: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const secrets = ownSecrets.filter(({ length }) => length >= minOwnSecretLength);
  const passed = Object.entries(own).filter(
    ([name, value]) =>
      value !== undefined &&
      !isSecretName(name) &&
      !secretValues.some((pattern) => pattern.test(value)) &&
      !secrets.some((secret) => value.includes(secret)),
  );
  // Of the usual ones the locale, where there is none.
  return { ...localeOf(own), ...(Object.fromEntries(passed) as Record<string, string>) };
}

function isSecretName(name: string): boolean {
  const key = name.toUpperCase();
  if (harmless.has(key)) return false;
  if (key.startsWith('HOST_') || secretEnding.test(key)) return true;
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z0-9]+/);
  return words.some((word) => secretWords.has(word));
}

function localeOf(own: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const usual = Object.entries(processEnvironment(own));
  return Object.fromEntries(usual.filter(([name]) => name === 'LC_ALL'));
}
