import { describe, expect, it } from 'vitest';
import { userEnvironment } from './user-environment.ts';

const token = 'launch-token-of-the-host';
const key = 'machine-key-of-the-host';

const passes = (name: string, value = 'x'): boolean =>
  name in userEnvironment([token, key], { [name]: value });

describe('the environment of a command without a sandbox', () => {
  it.each([
    ...['PATH', 'HOME', 'JAVA_HOME', 'NVM_DIR', 'MY_HARMLESS', 'EDITOR', 'LANG', 'http_proxy'],
    ...['PWD', 'OLDPWD', 'SSH_AUTH_SOCK', 'XAUTHORITY', 'DISPLAY', 'DBUS_SESSION_BUS_ADDRESS'],
    ...['XDG_SESSION_TYPE', 'GIT_AUTHOR_NAME', 'HOSTNAME', 'HOSTTYPE', 'KEYBOARD', 'NODE_OPTIONS'],
    ...['COMPASS_HOME', 'PATTERN', 'TOKENIZERS_PARALLELISM', 'SSL_CERT_FILE', 'PINNED'],
  ])('holds %s', (name) => expect(passes(name)).toBe(true));

  it.each([
    ...[
      'OPENAI_API_KEY',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_SESSION_TOKEN',
      'GITHUB_TOKEN',
      'NPM_TOKEN',
    ],
    ...[
      'DB_PASSWORD',
      'PGPASSWORD',
      'MYSQL_PWD',
      'SSHPASS',
      'APIKEY',
      'myApiKey',
      'gpg_passphrase',
    ],
    ...['GOOGLE_APPLICATION_CREDENTIALS', 'BASIC_AUTH', 'AUTHORIZATION', 'SESSION_COOKIE'],
    ...['FLASK_SESSION', 'npm_config__authToken', 'npm_config_//registry/:_auth', 'MY_PRIVATE_KEY'],
    ...['HOST_AUTH_TOKEN', 'HOST_MACHINE_KEY', 'HOST_H2_JAR', 'HOST_PROCESS_TREE', 'SENTRY_DSN'],
    ...['GITLAB_PAT', 'SMTP_PASS', 'GITHUBTOKEN', 'CLIENTSECRET', 'root_passwd'],
  ])('does not hold %s', (name) => expect(passes(name)).toBe(false));

  it.each([
    `sk-${'a1'.repeat(12)}`,
    `ghp_${'a1'.repeat(18)}`,
    `github_pat_${'a1'.repeat(20)}`,
    `glpat-${'a1'.repeat(10)}`,
    'xoxb-123456789012-abcdefghijkl',
    'AKIAIOSFODNN7EXAMPLE',
    `AIza${'b2'.repeat(18)}`,
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl',
    'postgres://me:hunter2@localhost/db',
    'https://:hunter2@proxy.example:3128',
    'host=db user=me password=hunter2',
    'https://hooks.example/send?token=hunter2',
    'Authorization: Bearer abcdefghijklmnop',
    'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=aGVsbG8=',
    `--auth ${token}`,
    `${key}:${key}`,
  ])('does not hold a variable with the value %s', (value) =>
    expect(passes('MY_HARMLESS', value)).toBe(false),
  );

  it.each([
    ...['task-force', 'http://proxy.example:3128', '/usr/bin:/home/me@work:/bin', 'sk-short'],
    ...['me@example.org', 'C:\\Users\\me', 'a:b@c', 'unix:path=/run/user/1000/bus', '-Xmx2g -ea'],
    'https://example.org/~me?page=2',
  ])('holds a variable with the value %s', (value) =>
    expect(passes('MY_HARMLESS', value)).toBe(true),
  );

  it('has a locale that knows all characters where the host has none', () => {
    const expected = process.platform === 'linux' ? { LC_ALL: 'C.UTF-8' } : {};
    expect(userEnvironment([], {})).toEqual(expected);
    expect(userEnvironment([], { LANG: 'de_DE.UTF-8' })).toEqual({ LANG: 'de_DE.UTF-8' });
  });

  it('is not emptied by a token of a few letters', () => {
    expect(userEnvironment(['a', ''], { LANG: 'C', CAPITAL: 'Paris' })).toMatchObject({
      CAPITAL: 'Paris',
    });
  });
});
