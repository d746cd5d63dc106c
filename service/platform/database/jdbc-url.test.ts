import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { DatabaseConfig } from './database-config.ts';
import {
  foldingOf,
  withFolding,
  withH2Path,
  fileOfJdbcUrl,
  jdbcUrlOf,
  readServerUrl,
  type ServerUrl,
  userOfH2Url,
  withoutPassword,
} from './jdbc-url.ts';

const plain = { host: 'h', database: 'd', ssl: false };

describe('the JDBC URL of a server', () => {
  it.each<[Partial<DatabaseConfig>, string, string]>([
    [{}, 'jdbc:postgresql://h:5/d', 'jdbc:mysql://h:5/d'],
    [{ ssl: false }, 'jdbc:postgresql://h:5/d', 'jdbc:mysql://h:5/d'],
    [
      { ssl: true },
      'jdbc:postgresql://h:5/d?sslmode=require',
      'jdbc:mysql://h:5/d?sslMode=REQUIRED',
    ],
    [
      { ssl: true, sslCa: '/etc/my ca&1.pem' },
      'jdbc:postgresql://h:5/d?sslmode=verify-full&sslrootcert=/etc/my%20ca%261.pem',
      'jdbc:mysql://h:5/d?sslMode=VERIFY_IDENTITY&serverSslCert=/etc/my%20ca%261.pem',
    ],
    [{ host: '::1' }, 'jdbc:postgresql://[::1]:5/d', 'jdbc:mysql://[::1]:5/d'],
    [
      { database: 'my däta+1' },
      'jdbc:postgresql://h:5/my%20d%C3%A4ta%2B1',
      'jdbc:mysql://h:5/my%20d%C3%A4ta%2B1',
    ],
  ])('is written as the drivers want it, and read back: %o', (input, postgres, mysql) => {
    for (const [type, url] of [
      ['POSTGRESQL', postgres],
      ['MYSQL', mysql],
    ] as const) {
      const config = { type, host: 'h', port: 5, database: 'd', ...input };
      expect(jdbcUrlOf(config)).toBe(url);
      const { type: _, ...expected } = config;
      expect(readServerUrl(type, url)).toEqual({ ...expected, ssl: input.ssl ?? false });
    }
  });

  it.each<[string, Partial<ServerUrl>]>([
    ['jdbc:postgresql://h/d', {}],
    ['jdbc:postgresql://h:6432/d?currentSchema=x&loginTimeout=3', { port: 6_432 }],
    ['JDBC:PostgreSQL://h/d', {}],
    ['jdbc:postgresql://[2001:db8::7]:6432/d', { host: '2001:db8::7', port: 6_432 }],
    ['jdbc:postgresql:///d', { host: 'localhost' }],
    ['jdbc:postgresql:d', { host: 'localhost' }],
    ['jdbc:postgresql://h/a+b', { database: 'a b' }],
    ['jdbc:postgresql://h/a%2Bb', { database: 'a+b' }],
    ['jdbc:postgresql://h/d?user=u&password=p%26%3D%2B', { username: 'u', password: 'p&=+' }],
    ['jdbc:postgresql://u:p@h/d', { username: 'u', password: 'p' }],
    ['jdbc:postgresql://u%40x:p%2F:@h/d', { username: 'u@x', password: 'p/:' }],
    ['jdbc:postgresql://u:p@w/o@h/d', { username: 'u', password: 'p@w/o' }],
    ['jdbc:postgresql://u:p@h/d?user=v&password=q', { username: 'v', password: 'q' }],
    ['jdbc:postgresql://u@h/d?password=a@b', { username: 'u', password: 'a@b' }],
  ])('that was made by hand is understood: %s', (url, expected) => {
    expect(readServerUrl('POSTGRESQL', url)).toEqual({ ...plain, port: 5_432, ...expected });
  });

  it.each<[string, Partial<ServerUrl>]>([
    ['jdbc:mysql://h/d?useUnicode=true&characterEncoding=utf8', {}],
    ['jdbc:mariadb://h:3307/d', { port: 3_307 }],
    ['jdbc:mysql://h/a+b', { database: 'a+b' }],
    ['jdbc:mysql://root:secret@h/d', { username: 'root', password: 'secret' }],
  ])('that was made by hand for MySQL or MariaDB is understood: %s', (url, expected) => {
    expect(readServerUrl('MYSQL', url)).toEqual({ ...plain, port: 3_306, ...expected });
  });

  it.each<[boolean, string[]]>([
    [
      true,
      [
        'sslmode=require',
        'sslmode=verify-ca',
        'sslmode=verify-full',
        'sslMode=REQUIRED',
        'SSLMODE=Verify_CA',
        'sslMode=VERIFY_IDENTITY',
        'sslMode=trust',
        'ssl=true',
        'ssl',
        'SSL=TRUE',
        'useSSL=true',
        'requireSSL=true',
        'sslmode=require&ssl=false',
      ],
    ],
    [
      false,
      [
        '',
        'sslmode=disable',
        'sslmode=allow',
        'sslmode=prefer',
        'sslMode=DISABLED',
        'sslMode=PREFERRED',
        'sslmode=Disable',
        'ssl=false',
        'useSSL=false',
        'useSSL=false&requireSSL=false',
        'sslmode=prefer&ssl=true',
        'sslmode=disable&sslrootcert=/ca.pem',
      ],
    ],
  ])('says whether the connection is encrypted (%s)', (ssl, queries) => {
    for (const query of queries) {
      for (const [type, scheme] of [
        ['MYSQL', 'mysql'],
        ['MYSQL', 'mariadb'],
        ['POSTGRESQL', 'postgresql'],
      ] as const) {
        const read = readServerUrl(type, `jdbc:${scheme}://h/d?${query}`);
        expect(read, `${scheme} ${query}`).toMatchObject({ ssl });
        expect(read).not.toHaveProperty('sslCa');
      }
    }
  });

  it('with an unknown mode of encryption is not used unencrypted', () => {
    expect(readServerUrl('POSTGRESQL', 'jdbc:postgresql://h/d?sslmode=requird')).toBeNull();
  });

  it.each([
    '',
    'nonsense',
    'jdbc:postgresql://h',
    'jdbc:postgresql://h/',
    'jdbc:postgresql://h:0/d',
    'jdbc:postgresql://h:70000/d',
    'jdbc:postgresql://h:x/d',
    'jdbc:postgresql://h1:1,h2:2/d',
    'jdbc:postgresql://[::1/d',
    'jdbc:postgresql://h/d/e',
    'jdbc:postgresql://h/d%2Fe',
    'jdbc:postgresql://h/50%',
    'jdbc:mysql://h/d',
    'jdbc:mysql:loadbalance://h/d',
    'jdbc:sqlite:d',
    'postgresql://h/d',
  ])('that cannot be used is none: "%s"', (url) => {
    expect(readServerUrl('POSTGRESQL', url)).toBeNull();
    expect(readServerUrl('SQLITE', url)).toBeNull();
  });
});

describe('a URL without its password', () => {
  it.each([
    ['jdbc:postgresql://h/d', 'jdbc:postgresql://h/d'],
    ['jdbc:postgresql://h/d?sslmode=require', 'jdbc:postgresql://h/d?sslmode=require'],
    ['jdbc:postgresql://h/d?password=p', 'jdbc:postgresql://h/d'],
    ['jdbc:postgresql://h/d?user=u&PassWord=p;q&ssl=true', 'jdbc:postgresql://h/d?user=u&ssl=true'],
    ['jdbc:postgresql://u:p@h/d', 'jdbc:postgresql://u@h/d'],
    ['jdbc:postgresql://u:p@w/o@h:5/d?a=b@c', 'jdbc:postgresql://u@h:5/d?a=b@c'],
    ['jdbc:mysql://:p@h/d', 'jdbc:mysql://h/d'],
    ['jdbc:mysql://u@h/d', 'jdbc:mysql://u@h/d'],
    ['jdbc:mysql://[::1]:3306/d', 'jdbc:mysql://[::1]:3306/d'],
    ['jdbc:h2:file:/x;USER=sa;PASSWORD=a\\;b;MODE=MySQL', 'jdbc:h2:file:/x;USER=sa;MODE=MySQL'],
    ['jdbc:sqlite:/my/a?password=1', 'jdbc:sqlite:/my/a?password=1'],
    ['', ''],
  ])('keeps all the rest: %s', (url, expected) => {
    expect(withoutPassword(url)).toBe(expected);
  });
});

describe('the JDBC URL of an embedded database', () => {
  const fileOf = (type: 'H2' | 'SQLITE', url: string, filePath?: string): string | null =>
    fileOfJdbcUrl(type, { url, filePath }, '/srv');

  it('of H2 names its file in every way that H2 knows', () => {
    expect(fileOf('H2', 'jdbc:h2:file:/data/host')).toBe('/data/host');
    expect(fileOf('H2', 'jdbc:h2:file:./data/host;MODE=MySQL')).toBe('/srv/data/host');
    expect(fileOf('H2', 'jdbc:h2:./host?')).toBe('/srv/host?');
    expect(fileOf('H2', 'jdbc:h2:~/host')).toBe(`${homedir()}/host`);
    for (const none of ['jdbc:h2:mem:x', 'jdbc:h2:tcp://h/x', 'jdbc:h2:', 'jdbc:sqlite:x'])
      expect(fileOf('H2', none), none).toBeNull();
  });

  it('of SQLite may contain characters of parameters if the other key confirms it', () => {
    expect(fileOf('SQLITE', 'jdbc:sqlite:/a;b?c.db')).toBe('/a');
    expect(fileOf('SQLITE', 'jdbc:sqlite:/a;b?c.db', '/a;b?c')).toBe('/a;b?c.db');
  });

  it('of H2 may contain user and password', () => {
    expect(userOfH2Url('jdbc:h2:file:x;User=u;mode=y;PASSWORD=a\\;b')).toEqual({
      username: 'u',
      password: 'a;b',
    });
    expect(userOfH2Url('jdbc:h2:file:x')).toEqual({});
  });
});

describe('the URL of an H2 file', () => {
  const plain = 'jdbc:h2:file:/data/host';

  it.each([
    [plain, 'upper', plain],
    [plain, 'lower', `${plain};DATABASE_TO_LOWER=TRUE`],
    [`${plain};database_to_lower=true`, 'lower', `${plain};database_to_lower=true`],
    [`${plain};DATABASE_TO_LOWER=FALSE`, 'upper', `${plain};DATABASE_TO_LOWER=FALSE`],
    [`${plain};DATABASE_TO_LOWER=TRUE;MODE=MySQL`, 'upper', `${plain};MODE=MySQL`],
    [`${plain};DATABASE_TO_UPPER=TRUE`, 'lower', `${plain};DATABASE_TO_LOWER=TRUE`],
    ['jdbc:h2:~/x;USER=sa', 'lower', 'jdbc:h2:~/x;USER=sa;DATABASE_TO_LOWER=TRUE'],
  ] as const)('%s for a file that folds to %s is %s', (url, folding, expected) => {
    expect(withFolding(url, folding)).toBe(expected);
    expect(foldingOf(expected)).toBe(folding);
  });

  it('keeps its settings when the file moves, even if the path ends with the same text', () => {
    expect(withH2Path(`${plain};MODE=MySQL;A=b`, '/new/x.mv.db')).toBe(
      'jdbc:h2:file:/new/x;MODE=MySQL;A=b',
    );
    expect(withH2Path('jdbc:h2:./x', '/new/x')).toBe('jdbc:h2:file:/new/x');
    expect(jdbcUrlOf({ type: 'H2', filePath: '/data/x.mv.db' })).toBe('jdbc:h2:file:/data/x');
  });
});
