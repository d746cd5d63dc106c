import { processEnvironment } from './process-environment.ts';
import { isSecretValue } from './secret-values.ts';

/** Words in names, separated by `_` and the like, that indicate a secret. */
const secretWords = new Set([
  ...['TOKEN', 'TOKENS', 'SECRET', 'SECRETS', 'PASSWORD', 'PASSWORDS', 'PASSWD', 'PASSPHRASE'],
  ...['PASSPHRASES', 'PASSW', 'PSW', 'PASSWORT', 'KENNWORT', 'MNEMONIC', 'PHRASE', 'UNSEAL', 'PEM'],
  ...['WEBHOOK', 'WEBHOOKS', 'TOTP', 'MFA', 'HMAC', 'SALT', 'CSRF', 'XSRF', 'CONNSTR'],
  ...['PASS', 'PWD', 'PW', 'KEY', 'KEYS', 'CREDENTIAL', 'CREDENTIALS', 'CREDS', 'CRED', 'AUTH'],
  ...['AUTHORIZATION', 'OAUTH', 'COOKIE', 'COOKIES', 'SESSION', 'SESSIONID', 'PAT', 'BEARER'],
  ...['JWT', 'DSN', 'PIN', 'OTP', 'SIGNATURE', 'PRIVATE', 'CERT', 'PFX', 'LICENSE'],
]);

/** Suffixes of names without separators: PGPASSWORD, DBPASS, ROOTPW, OPENAIKEY. */
const secretSuffixes = [
  /(?:TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASES?|CREDENTIALS?|COOKIES?|COOKIEJAR|APIKEYS)$/,
  /(?<!COM|BY|TRES|SUR|OVER|UNDER|ASK)PASS$/,
  /[A-Z]{2}PW$|[A-Z]{3}PWD$|[A-Z]{3}AUTH$/,
  /[A-Z]{2}(?<!MON|TUR|HOT|DON|JOC|WHIS|HOC|PUB|PUBLIC)KEY$/,
];

/** Values such as URLs that usually contain a password. */
const withPassword =
  /(?:DATABASE|DB|SQL|MONGO|MONGODB|REDIS|POSTGRES|POSTGRESQL|MYSQL|MARIADB|AMQP|RABBITMQ|BROKER)_?(?:URL|URI)$|CONN(?:ECTION)?_?STR(?:ING)?(?:_|$)|^IDENTITY_HEADER$|^SONAR_LOGIN$/;

/**
 * Names that only sound like secrets: folders, types of desktops, and sockets that the system
 * protects. `SSH_AUTH_SOCK` is needed to push; it allows using keys, not reading them.
 */
const harmless = new Set([
  ...['PWD', 'OLDPWD', 'SSH_AUTH_SOCK', 'XAUTHORITY', 'SESSION_MANAGER', 'DESKTOP_SESSION'],
  ...['DBUS_SESSION_BUS_ADDRESS', 'GNOME_DESKTOP_SESSION_ID', 'XDG_SESSION_TYPE'],
  ...['XDG_SESSION_ID', 'XDG_SESSION_CLASS', 'XDG_SESSION_DESKTOP', 'SSL_CERT_FILE'],
  ...['SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'TERM_SESSION_ID', 'ITERM_SESSION_ID', 'WT_SESSION'],
  ...['TMUX_SESSION', 'ZELLIJ_SESSION_NAME', 'KITTY_PUBLIC_KEY'],
]);

/** A shorter text could be part of any value by chance. */
const minOwnSecretLength = 6;

/**
 * Returns the environment of commands without a sandbox: that of the host, without the host's own
 * variables and everything that looks like a secret. `ownSecrets` are the token and the machine
 * key.
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
      !isSecretValue(value) &&
      !secrets.some((secret) => value.includes(secret)),
  );
  // Adds the default locale if none is set.
  return { ...localeOf(own), ...(Object.fromEntries(passed) as Record<string, string>) };
}

function isSecretName(name: string): boolean {
  const key = name.toUpperCase();
  if (harmless.has(key)) return false;
  if (key.startsWith('HOST_') || withPassword.test(key)) return true;
  if (secretSuffixes.some((pattern) => pattern.test(key))) return true;
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z0-9]+/);
  return words.some((word) => secretWords.has(word));
}

function localeOf(own: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const defaults = Object.entries(processEnvironment(own));
  return Object.fromEntries(defaults.filter(([name]) => name === 'LC_ALL'));
}
