import { describe, expect, it } from 'vitest';
import { userEnvironment } from './user-environment.ts';

const token = 'launch-token-of-the-host';
const key = 'machine-key-of-the-host';

const passes = (name: string, value = 'x'): boolean =>
  name in userEnvironment([token, key], { [name]: value });

const packed = (text: string): string => Buffer.from(text).toString('base64');

describe('the environment of a command without a sandbox', () => {
  it.each([
    ...['PATH', 'HOME', 'JAVA_HOME', 'NVM_DIR', 'MY_HARMLESS', 'EDITOR', 'LANG', 'http_proxy'],
    ...['PWD', 'OLDPWD', 'SSH_AUTH_SOCK', 'XAUTHORITY', 'DISPLAY', 'DBUS_SESSION_BUS_ADDRESS'],
    ...['XDG_SESSION_TYPE', 'GIT_AUTHOR_NAME', 'HOSTNAME', 'HOSTTYPE', 'KEYBOARD', 'NODE_OPTIONS'],
    ...['GOPATH', 'TERM', 'KUBECONFIG', 'PGPASSFILE', 'GIT_ASKPASS', 'BYPASS', 'COMPASS', 'HOTKEY'],
    ...['GIT_COMMIT', 'TERM_SESSION_ID', 'KEYTIMEOUT', 'DOCKER_HOST', 'AWS_PROFILE', 'AUTHOR'],
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
    ...['DATABASE_URL', 'MONGODB_URI', 'REDIS_URL', 'AZURE_STORAGE_CONNECTION_STRING', 'CONNSTR'],
    ...[
      'DBPASS',
      'ROOTPW',
      'MYSQLPWD',
      'BASICAUTH',
      'OPENAIKEY',
      'SSHKEY',
      'SLACK_WEBHOOK',
      'TOTP',
    ],
    ...['GITHUB_PAT', 'RAILS_MASTER_KEY', 'COOKIEJAR', 'SEED_PHRASE', 'IDENTITY_HEADER', 'APP_PEM'],
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
    'redis://:p/ss@localhost:6379/0',
    'postgres://me:hun#ter@localhost/db',
    'postgres%3A%2F%2Fme%3Ahunter2%40localhost',
    'https://ghtoken0123456@git.example/me/it.git',
    'me:hunter2@tcp(localhost:3306)/db',
    'jdbc:oracle:thin:scott/tiger@//localhost:1521/x',
    'Server=localhost;User Id=sa; Password = hunter2',
    '{"user":"me","password":"hunter2"}',
    '{"auths":{"registry.example":{"auth":"bWU6aHVudGVyMg=="}}}',
    'user: me\npassword: hunter2',
    'machine git.example login me password hunter2',
    '//registry.example/:_authToken=hunter2',
    '-Xmx1g -Djavax.net.ssl.keyStorePassword=hunter2',
    'curl -u me:hunter2 https://example.org',
    '--db-password hunter2',
    'X-Api-Key: hunter2',
    'sessionid=0123456789abcdef',
    'https://store.example/a?sv=2020&sig=abc%3D',
    'https://hooks.slack.com/services/T000/B000/XXXX',
    'https://chat.example/api/webhooks/123456/abcdef',
    `123456789:${'Ab1'.repeat(11)}xy`,
    `glrt-${'a1'.repeat(10)}`,
    `hvs.${'a1'.repeat(20)}`,
    `dckr_pat_${'a1'.repeat(13)}`,
    `GOCSPX-${'a1'.repeat(14)}`,
    `secret_${'a1'.repeat(20)}`,
    `SK${'a1'.repeat(16)}`,
    'AGE-SECRET-KEY-1QQQQQQQQQQ',
    'PuTTY-User-Key-File-2: ssh-rsa',
    packed('{"type":"service_account","project":"x"}'),
    packed('-----BEGIN RSA PRIVATE KEY-----\nMIIE'),
    packed('me:hunter2, and more'),
    'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    'q2Xb9Lr0Zt7Vn4Kp1Sd8Wc5Yf3Hg6Jm2',
    `--auth ${token}`,
    `${key}:${key}`,
  ])('does not hold a variable with the value %s', (value) =>
    expect(passes('MY_HARMLESS', value)).toBe(false),
  );

  it.each([
    ...['task-force', 'http://proxy.example:3128', '/usr/bin:/home/me@work:/bin', 'sk-short'],
    ...['me@example.org', 'C:\\Users\\me', 'a:b@c', 'unix:path=/run/user/1000/bus', '-Xmx2g -ea'],
    'https://example.org/~me?page=2',
    ...['da39a3ee5e6b4b0d3255bfef95601890afd80709', '123e4567-e89b-12d3-a456-426614174000'],
    '9f86d081'.repeat(8),
    'registry.example:5000/a/b:1@sha256:9f86d081884c7d659a2feaa0c55ad015',
    'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP==',
    'ssh://git@git.example/me/it.git',
    'https://me@git.example/me/it.git',
    'http://proxy.example:3128/a@b',
    'rs=0:di=01;34:ln=01;36:*.tar=01;31',
    '/home/me/token:/home/me/Password/keys:/usr/bin',
    '/nix/store/a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6-gcc',
    'feature/ABC-123_a-branch-with-a-long-name',
    'MyVeryLongClassNameForTestingThings12345',
    '\\u@\\h:\\w\\$ ',
    // Variables that systemd sets for its services.
    packed('some 200000 2000000'),
    '-Xmx2g -Dfile.encoding=UTF-8 -Dhttp.proxyPort=3128',
    '{"compass":"a","bypass=":1}',
  ])('holds a variable with the value %s', (value) =>
    expect(passes('MY_HARMLESS', value)).toBe(true),
  );

  it('has a UTF-8 locale if the host has no locale', () => {
    const expected = process.platform === 'linux' ? { LC_ALL: 'C.UTF-8' } : {};
    expect(userEnvironment([], {})).toEqual(expected);
    expect(userEnvironment([], { LANG: 'de_DE.UTF-8' })).toEqual({ LANG: 'de_DE.UTF-8' });
  });

  it('is not emptied by a token of a few characters', () => {
    expect(userEnvironment(['a', ''], { LANG: 'C', CAPITAL: 'Paris' })).toMatchObject({
      CAPITAL: 'Paris',
    });
  });
});
