import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { logLevels } from '../contract/log-areas.ts';
import { type LogEntry, textOf } from './log-file.ts';
import { createLog } from './log.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'log-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(directory, { recursive: true, force: true });
});

async function entries(): Promise<LogEntry[]> {
  const names = (await readdir(directory)).sort();
  const text = await readFile(join(directory, names.at(-1) ?? ''), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LogEntry);
}

const lines = async (): Promise<string[]> => (await entries()).map(textOf);

const today = (): string => `host-${new Date().toISOString().slice(0, 10)}.log`;

describe('the log', () => {
  it('writes messages at or above its level, one line each', async () => {
    const log = createLog({ level: 'INFO', directory, stderr: false });
    for (const level of logLevels) {
      log.level = level;
      for (const name of ['debug', 'info', 'warn', 'error'] as const)
        log[name]('tools', `${name}@${level}`);
    }
    await log.close();
    const written = (await lines()).map((line) => /\[tools\] (.*)$/.exec(line)?.[1]);
    const all = ['debug', 'info', 'warn', 'error'];
    expect(written).toEqual([
      ...all.map((name) => `${name}@TRACE`),
      ...all.map((name) => `${name}@DEBUG`),
      ...all.slice(1).map((name) => `${name}@INFO`),
      ...all.slice(2).map((name) => `${name}@WARN`),
      'error@ERROR',
    ]);
  });

  it('keeps each line as a JSON object', async () => {
    const log = createLog({ level: 'INFO', directory, stderr: false });
    log.warn('plugins', 'Said "so".');
    await log.close();
    expect(await entries()).toEqual([
      {
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        level: 'WARN',
        area: 'plugins',
        message: 'Said "so".',
      },
    ]);
  });

  it('starts a line with the time, the level and the area', async () => {
    const log = createLog({ level: 'INFO', directory, stderr: false });
    log.warn('plugins', 'Something.');
    await log.close();
    expect(await lines()).toEqual([
      expect.stringMatching(
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z WARN {2}\[plugins\] Something\.$/,
      ),
    ]);
  });

  it('does not evaluate lines that are not written', async () => {
    const log = createLog({ level: 'INFO', directory, stderr: false });
    log.info(
      'tools',
      'one\n2026-01-01T00:00:00.000Z ERROR [auth] forged\r\ntwo\u001b[31mred\u0000\u0007',
    );
    await log.close();
    const [line, ...more] = await lines();
    expect(more).toEqual([]);
    expect(line).toContain('one ⏎ 2026-01-01');
    expect(line).not.toMatch(/[\u0000-\u001f]/);
  });

  it('reports the reason of a failure', async () => {
    const log = createLog({ level: 'INFO', directory, stderr: false });
    log.error('tools', 'It failed', new Error('because'));
    log.error('tools', 'It failed', 'a text');
    log.error('tools', 'It failed');
    await log.close();
    const [withStack, withText, alone] = await lines();
    expect(withStack).toMatch(/It failed: Error: because ⏎ .*log\.test\.ts/);
    expect(withText).toMatch(/It failed: a text$/);
    expect(alone).toMatch(/It failed$/);
  });

  it('reaches stderr unless told otherwise, and never stdout', async () => {
    const toStderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const toStdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const log = createLog({ level: 'INFO', directory: null });
    log.info('tools', 'heard');
    await log.close();
    expect(toStderr.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(/\[tools\] heard\n$/),
    ]);
    expect(toStdout).not.toHaveBeenCalled();
  });
});

describe('an area', () => {
  const quiet = (level: 'INFO' | 'OFF' = 'INFO') => createLog({ level, directory, stderr: false });

  it('has its own level, which does not affect others', async () => {
    const log = quiet();
    log.areaLevels = { mcp: 'TRACE', chat: 'ERROR' };
    for (const area of ['mcp', 'chat', 'http'] as const)
      for (const level of ['trace', 'debug', 'info', 'warn'] as const)
        log[level](area, `${level} of ${area}`);
    log.areaLevels = {};
    log.debug('mcp', 'no more');
    await log.close();
    expect((await lines()).map((line) => line.split('] ')[1])).toEqual([
      'trace of mcp',
      'debug of mcp',
      'info of mcp',
      'warn of mcp',
      'info of http',
      'warn of http',
    ]);
  });

  it('that is not written is not formatted', async () => {
    const log = quiet();
    const message = vi.fn(() => 'text');
    log.debug('mcp', message);
    log.trace('mcp', message);
    expect(message).not.toHaveBeenCalled();
    log.areaLevels = { mcp: 'DEBUG' };
    log.debug('mcp', message);
    await log.close();
    expect(await lines()).toEqual([expect.stringMatching(/ DEBUG \[mcp\] text$/)]);
  });
});

describe('a registered secret', () => {
  it('is in no line and no error, in any encoding', async () => {
    const log = createLog({ level: 'TRACE', directory, stderr: false });
    const secret = 'c4n"ary &+';
    log.hide(secret);
    log.hide(JSON.stringify({ env: { A: 'nested-c4nary', B: 'x' }, list: ['other-c4nary'] }));
    log.trace('mcp', `before ${secret} after`);
    log.warn('mcp', `as JSON ${JSON.stringify({ key: secret })}, x`);
    log.error('mcp', 'Failed', new Error(`/a?b=${encodeURIComponent(secret)} nested-c4nary`));
    log.info('mcp', 'other-c4nary');
    await log.close();
    const text = (await lines()).join('\n') + JSON.stringify(log.errors);
    expect(text).not.toMatch(/c4n/);
    expect(text).toContain('before *** after');
    expect(text).toContain(', x');
  });
});

describe('a secret in another encoding', () => {
  const cleaned = (secret: string, text: string): string => {
    const log = createLog({ level: 'OFF', directory: null, stderr: false });
    log.hide(secret);
    log.warn('tools', text);
    return log.errors[0]?.message ?? '';
  };

  it('that is stored as JSON is masked without its quotes', () => {
    expect(cleaned('"c4n\\nary"', 'It is c4n\nary here')).toBe('It is *** here'.replace('\n', ''));
    expect(cleaned('"c4n\\"ary"', 'It is c4n"ary here')).toBe('It is *** here');
    expect(cleaned('48151623', 'It is 48151623 here')).toBe('It is *** here');
    expect(cleaned('"abc"', 'abc stays')).toBe('abc stays');
    expect(cleaned('"not JSON', 'It is "not JSON here')).toBe('It is *** here');
  });

  it.each(['true', 'false', 'null'])('that is the word %s is not masked', (word) => {
    expect(cleaned(word, `It is ${word} here`)).toBe(`It is ${word} here`);
  });

  it.each([4_096, 4_097, 10_000, 99_000])('is masked completely: %i characters', (length) => {
    const numbers = Array.from({ length }, (_, index) => `"${index}ü`).join('');
    const secret = numbers.slice(0, length);
    const log = createLog({ level: 'OFF', directory: null, stderr: false });
    log.hide(secret);
    expect(log.clean(`It is ${secret}.`)).toBe('It is ***.');
    expect(log.clean(`It is ${JSON.stringify(secret)}.`)).toBe('It is "***".');
    expect(cleaned(secret, `It is ${secret}.`)).toMatch(/^It is [*]{3}[.]?$/);
  });

  it('is masked if a line ends within it', async () => {
    const log = createLog({ level: 'INFO', directory, stderr: false });
    const long = Array.from({ length: 30_000 }, (_, index) => `${index}c4nary`).join('');
    log.hide(long);
    log.hide('short-c4nary');
    log.warn('tools', `It is ${long}, and so on.`);
    log.warn('tools', `${'x'.repeat(99_995)}short-c4nary`);
    log.warn('tools', `${'x'.repeat(3_995)}short-c4nary`);
    await log.close();
    const text = (await lines()).join('\n') + JSON.stringify(log.errors);
    expect(text).toContain('It is ***');
    expect(text).not.toMatch(/c4n|short/);
  });
});

describe('the errors that the log stores', () => {
  const quiet = () => createLog({ level: 'OFF', directory: null, stderr: false });

  it('are warnings and errors in order, independent of the level', () => {
    const log = quiet();
    log.debug('tools', 'no');
    log.info('tools', 'no');
    log.warn('mcp', 'Careful.');
    log.error('chat', 'It failed', new Error('because'));
    log.error('chat', 'It failed', 'a text');
    log.error('chat', 'It failed');
    expect(log.errors.map(({ level, logger, message }) => [level, logger, message])).toEqual([
      ['WARN', 'mcp', 'Careful.'],
      ['ERROR', 'chat', 'It failed: because'],
      ['ERROR', 'chat', 'It failed: a text'],
      ['ERROR', 'chat', 'It failed'],
    ]);
    for (const { at } of log.errors) expect(new Date(at).toISOString()).toBe(at);
  });

  it('are the last fifty, a thousand characters each, on one line', () => {
    const log = quiet();
    for (let i = 0; i < 120; i += 1) log.warn('tools', `number ${i}`);
    expect(log.errors.map(({ message }) => message)).toEqual(
      Array.from({ length: 50 }, (_, i) => `number ${i + 70}`),
    );
    log.error('tools', 'x\n'.repeat(1_000_000));
    expect(log.errors).toHaveLength(50);
    expect(log.errors.at(-1)?.message).toHaveLength(1_000);
    expect(log.errors.at(-1)?.message).not.toContain('\n');
  });

  it.each([
    ['password=c4nary', 'password=***'],
    ['{"password":"c4n ary", "a":1}', '{"password":***, "a":1}'],
    ['db.password = c4nary;x', 'db.password = ***;x'],
    ['ENC(c4nary+/=)', 'ENC(***)'],
    ['jdbc:mysql://root:c4nary@host/db', 'jdbc:mysql://***@host/db'],
    ['/api/x?ticket=c4nary&b=1', '/api/x?ticket=***&b=1'],
    ['X-Host-Token: c4nary', 'X-Host-Token: ***'],
    ['Authorization: Bearer c4nary', 'Authorization: ***'],
    ['apiKey=c4nary api_key: c4nary', 'apiKey=*** api_key: ***'],
    ['PWD=c4nary', 'PWD=***'],
    ['AWS_SECRET_ACCESS_KEY=c4nary x', 'AWS_SECRET_ACCESS_KEY=*** x'],
    ['run --api-token c4nary --x', 'run --api-token *** --x'],
    ['sent Bearer c4nary.c4nary', 'sent Bearer ***'],
    ['-----BEGIN PRIVATE KEY-----\nc4nary\n-----END PRIVATE KEY----- x', '*** x'],
    ['port: 80, see https://host/a@b', 'port: 80, see https://host/a@b'],
  ])('hold no secrets: %s', (message, expected) => {
    const log = quiet();
    log.error('tools', 'Failed', new Error(message));
    expect(log.errors[0]?.message).toBe(`Failed: ${expected}`);
  });
});

describe('the last lines', () => {
  it('are complete lines of all files, oldest first', async () => {
    await writeFile(join(directory, 'host-2020-01-01.log'), 'one\ntwo\n');
    const log = createLog({ level: 'INFO', directory, stderr: false });
    log.info('mcp', 'three');
    const all = await log.lastLines(10_000);
    expect(all).toEqual(['one', 'two', expect.stringMatching(/three$/)]);
    const { size } = await stat(join(directory, today()));
    expect(await log.lastLines(size + 'wo\n'.length)).toEqual(all.slice(2));
    await log.close();
  });
});

describe('the log file', () => {
  it('logs an error with its stack and without its secrets', async () => {
    const log = createLog({ level: 'INFO', directory, stderr: false });
    log.error('tools', 'Failed', new Error('refused: password=c4nary'));
    await log.close();
    const [text = ''] = await lines();
    expect(text).toMatch(/Failed: Error: refused: password=\*\*\*.* at .*log\.test\.ts/);
    expect(text).not.toContain('c4nary');
  });

  it('is one per day, appended to, and readable only by its owner', async () => {
    for (const message of ['first', 'second']) {
      const log = createLog({ level: 'INFO', directory, stderr: false });
      log.info('tools', message);
      await log.close();
    }
    expect(await readdir(directory)).toEqual([today()]);
    expect((await stat(join(directory, today()))).mode & 0o777).toBe(0o600);
    expect((await lines()).map((line) => line.split(' ').at(-1))).toEqual(['first', 'second']);
  });

  it('of the last seven days is kept, and other files stay unchanged', async () => {
    const days = Array.from({ length: 12 }, (_, i) => `host-2020-01-${String(i + 10)}.log`);
    for (const name of [...days, 'host.log', 'notes.txt'])
      await writeFile(join(directory, name), '');
    const log = createLog({ level: 'INFO', directory, stderr: false });
    log.info('tools', 'today');
    await log.close();
    expect((await readdir(directory)).sort()).toEqual(
      [...days.slice(-6), today(), 'host.log', 'notes.txt'].sort(),
    );
  });

  it('of the next day starts at midnight, without a restart', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-31T23:59:59.999Z') });
    const log = createLog({ level: 'INFO', directory, stderr: false });
    log.info('tools', 'late');
    vi.setSystemTime(Date.parse('2026-04-01T00:00:00.000Z'));
    log.info('tools', 'early');
    await log.close();
    vi.useRealTimers();
    const names = (await readdir(directory)).sort();
    expect(names).toEqual(['host-2026-03-31.log', 'host-2026-04-01.log']);
    await expect
      .poll(() => readFile(join(directory, names[0] ?? ''), 'utf8'))
      .toMatch(/^[^\n]*"late"\}\n$/);
    expect(await lines()).toEqual([expect.stringMatching(/ early$/)]);
  });

  it('whose folder was removed is created again after a second, which one line reports', async () => {
    const stderrSpies = [
      vi.spyOn(process.stderr, 'write').mockReturnValue(true),
      vi.spyOn(console, 'error').mockReturnValue(),
    ];
    const log = createLog({ level: 'INFO', directory, stderr: false });
    log.info('tools', 'before');
    await log.lastLines(1_000);
    await rm(directory, { recursive: true });
    const seen = async (): Promise<string[]> => {
      log.info('tools', 'again');
      const startedMs = performance.now();
      const text = await log.lastLines(1_000);
      // A flush does not wait for lines that cannot be written.
      expect(performance.now() - startedMs).toBeLessThan(900);
      return text;
    };
    await expect.poll(seen).toContainEqual(expect.stringContaining('again'));
    await log.close();
    expect(stderrSpies.flatMap(({ mock }) => mock.calls).length).toBeLessThan(2);
  });

  it('accepts a flood of lines without storing all of them in memory', async () => {
    const log = createLog({ level: 'DEBUG', directory, stderr: false });
    const line = 'x'.repeat(50_000);
    for (let n = 0; n < 2_000; n += 1) log.debug('tools', line);
    await expect
      .poll(async () => {
        log.info('tools', 'after');
        return (await log.lastLines(1_000)).join('\n');
      })
      .toMatch(/WARN {2}\[launch\] 1\d{3} lines were left out/);
    await log.close();
    const { size } = await stat(join(directory, today()));
    expect(size).toBeLessThan(20 * 1024 * 1024);
  });

  it('that cannot be written does not end the host', async () => {
    await mkdir(join(directory, today()));
    const log = createLog({ level: 'INFO', directory, stderr: false });
    log.info('tools', 'lost');
    await log.close();
    await chmod(directory, 0o700);
    expect(await readdir(join(directory, today()))).toEqual([]);
  });
});
