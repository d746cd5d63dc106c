import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../app/index.ts';
import { api, Problem } from '../contract/index.ts';
import cases from '../testing/http-cases.json' with { type: 'json' };
import { packPlugin } from '../testing/packages.ts';
import { type Answer, ask, startTestHost } from '../testing/test-host.ts';
import { useForFile } from '../testing/use-for-file.ts';

interface Row {
  id: string;
  name: string;
  request: {
    method: string;
    path: string;
    headers: Record<string, string>;
    body?: string;
    raw?: string;
    afterSeconds?: number;
  };
  also?: string[];
  expect: {
    statusIn?: number[];
    noHeader?: string[];
    headerMatches?: Record<string, string[]>;
    bodyLacks?: string[];
    bodyIs?: string;
    after?: string;
  };
}

/** Rows that need more than one request; each has its own test. */
const elsewhere: Record<string, string> = {
  'H-013': 'admission.test.ts',
  'H-018': 'admission.test.ts',
  'H-046': 'costly-requests.test.ts',
  'H-050': 'costly-requests.test.ts',
  'H-054': 'costly-requests.test.ts',
  'H-058': 'slow-headers.test.ts',
  'H-063': 'tests of the launcher',
};
const rows = (cases as unknown as Row[]).filter(({ id }) => !(id in elsewhere));

let clockMs = 0;
let configuration = '';

const test = await useForFile(startTestHost({ now: () => clockMs }));

beforeAll(async () => {
  test.log.level = 'TRACE';
  const file = new Blob([await packPlugin({ manifest: { id: 'p1' } })]);
  await test.client.call(api.market.upload, { file });
  configuration = await readFile(test.paths.dataSource, 'utf8');
});

/** Further checks, by the text of the row. */
const afterwards: Record<string, () => Promise<void>> = {
  'the token value is in no log line': async () => {
    const logged = await startTestHost({
      log: createLog({ level: 'TRACE', directory: test.paths.logs, stderr: false }),
    });
    await ask(logged.port, `/api/settings?token=${logged.token}`, {});
    await logged.ask(`/api/plugin-runtime/p1?token=${logged.token}`);
    logged.log.warn('launch', 'the last line');
    await logged.close();
    await logged.log.close();
    const [name] = await readdir(test.paths.logs);
    const text = await readFile(join(test.paths.logs, name ?? ''), 'utf8');
    expect(text).toContain('the last line');
    expect(text).not.toContain(logged.token);
  },
  'datasource.properties unchanged, still APP': stillConfigured,
  'configuration unchanged': stillConfigured,
  'also limit=0, limit=-1, limit=abc → 400; limit=100 → 200 and ≤ 100 rows': async () => {
    for (const limit of ['0', '-1', 'abc', '', '101', '1e1', '0x10', '5.5', '%205', '1&limit=2'])
      expect((await test.ask(`/api/notifications?limit=${limit}`)).status, limit).toBe(400);
    for (let i = 0; i < 101; i += 1) {
      const body = { source: 'host', level: 'info', title: `row ${i}` } as const;
      await test.client.call(api.notifications.create, { body });
    }
    const answer = await test.ask('/api/notifications?limit=100');
    expect(answer.status).toBe(200);
    expect(answer.json()).toHaveLength(100);
  },
};

async function stillConfigured(): Promise<void> {
  expect(await readFile(test.paths.dataSource, 'utf8')).toBe(configuration);
  expect(test.host.mode()).toBe('APP');
  expect((await readdir(test.paths.config)).sort()).toEqual([
    '.machineid',
    'datasource.properties',
  ]);
}

describe('a request of the case table', () => {
  it.each(rows)('$id: $name', async (row) => {
    for (const path of [row.request.path, ...(row.also ?? [])]) {
      const answer = await send(row, path);
      check(row, answer, path);
    }
    if (row.expect.after) await afterwards[row.expect.after]?.();
  });

  it('has no field that the tests ignore', () => {
    const afterNames = rows.flatMap(({ expect: { after } }) => after ?? []);
    expect(afterNames.filter((afterName) => !(afterName in afterwards))).toEqual([]);
    const checkedKeys = ['statusIn', 'noHeader', 'headerMatches', 'bodyLacks', 'bodyIs', 'after'];
    expect(
      rows.flatMap((row) => Object.keys(row.expect).filter((key) => !checkedKeys.includes(key))),
    ).toEqual([]);
    expect(rows.length + Object.keys(elsewhere).length).toBe(cases.length);
  });
});

async function send({ request }: Row, path: string): Promise<Answer> {
  if (request.raw !== undefined) return parseAnswer(await test.raw(request.raw));
  const target = fill(await withTickets(path));
  clockMs += (request.afterSeconds ?? 0) * 1_000;
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, fill(value)]),
  );
  const { method, body } = request;
  return ask(
    test.port,
    target,
    body === undefined ? { method, headers } : { method, headers, body },
  );
}

/**
 * Replaces `{K}` with a ticket of the stream's own family, `{K:ai}` with one of another family, and
 * `a*17000` with a long text.
 */
async function withTickets(path: string): Promise<string> {
  const [hole, family = 'notifications'] = /\{K(?::(\w+))?\}/.exec(path) ?? [];
  if (hole === undefined) return path;
  const minted = await test.ask(`/api/${family}/stream-ticket`, { method: 'POST' });
  return path.replace(hole, (minted.json() as { ticket: string }).ticket);
}

function fill(text: string): string {
  const [, letter, count] = /^(\w)\*(\d+)$/.exec(text) ?? [];
  if (letter !== undefined) return letter.repeat(Number(count));
  return text.replaceAll('{T}', test.token).replaceAll('{P}', String(test.port));
}

function parseAnswer(text: string): Answer {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.replace(/^[^:]*:\s*/, '')]),
  );
  const rest = body.join('\r\n\r\n');
  return {
    status: Number(first.split(' ')[1]),
    headers,
    text: rest,
    json: () => JSON.parse(rest) as unknown,
  };
}

function check({ expect: expected }: Row, answer: Answer, path: string): void {
  if (expected.statusIn) expect(expected.statusIn, path).toContain(answer.status);
  expect(answer.headers['referrer-policy'], path).toBe('no-referrer');
  for (const name of expected.noHeader ?? []) expect(answer.headers).not.toHaveProperty(name);
  for (const [name, patterns] of Object.entries(expected.headerMatches ?? {})) {
    for (const pattern of patterns) expect(answer.headers[name], path).toMatch(new RegExp(pattern));
  }
  for (const text of expected.bodyLacks ?? []) expect(answer.text).not.toContain(text);
  if (answer.status >= 400 || expected.bodyIs) {
    expect(answer.headers['content-type'], path).toBe('application/problem+json');
    expect(Problem.strict().parse(answer.json()).status).toBe(answer.status);
  }
}
