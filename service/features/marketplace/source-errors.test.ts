import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { createProcesses } from '../../platform/processes.ts';
import { problem } from '../../testing/problem.ts';
import {
  addSource,
  agentsCatalog,
  claudeCatalog,
  gridOf,
  refreshSource,
  sourceOf,
  writeAt,
} from '../../testing/store/sources.ts';
import { type StaticServer, startStaticServer } from '../../testing/store/static-server.ts';
import { startTestHost, type TestHost } from '../../testing/test-host.ts';
import { Git } from './git/git.ts';
import { readSource } from './sources/read-source.ts';
import { useForFile } from '../../testing/use-for-file.ts';
import { formatterOf } from '../../messages/format.ts';
import zh from '../../messages/zh-CN.json' with { type: 'json' };

const chinese = formatterOf(zh.service, 'zh-CN');

const web = await useForFile(startStaticServer());
const host = await useForFile(startTestHost());

type Answer = Parameters<StaticServer['files']['set']>[1];

const mebibyte = 1024 ** 2;
const zeros = gzipSync(Buffer.alloc(mebibyte));
const closedAddress = async (): Promise<string> => {
  const server = await startStaticServer();
  await server.close();
  return `${server.baseUrl}/x.json`;
};

/** Sends the piece repeatedly, as fast as it is received. */
async function flood(res: ServerResponse, piece: Buffer, times = Infinity): Promise<void> {
  const closed = once(res, 'close');
  for (let sent = 0; sent < times && !res.closed; sent += 1) {
    if (!res.write(piece)) await Promise.race([once(res, 'drain'), closed]);
  }
  res.end();
}
const flooding =
  (headers: Record<string, string>, piece: Buffer, times?: number): Answer =>
  (_req, res) => {
    res.writeHead(200, headers);
    void flood(res, piece, times).catch(() => undefined);
  };
const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (_req, res) =>
    void res.writeHead(status, headers).end(body);

const failures: [string, Answer, RegExp][] = [
  ['17 MiB', Buffer.alloc(17 * mebibyte, ' '), /16 MiB/],
  ['an endless stream', flooding({}, Buffer.alloc(64 * 1024, ' ')), /16 MiB/],
  ['gzip of 17 MiB', flooding({ 'Content-Encoding': 'gzip' }, zeros, 17), /16 MiB/],
  ['endless gzip', flooding({ 'Content-Encoding': 'gzip' }, zeros), /16 MiB/],
  ['damaged gzip', answering(200, { 'Content-Encoding': 'gzip' }, '{"plugins": []}'), /damaged/],
  ['a web page', '<!doctype html><title>Store</title>', /web page/],
  ['a list', '[{"name": "one", "source": "./one"}]', /it is a list/],
  ['a number', '7', /single value/],
  ['nothing', '', /empty/],
  ['blanks', ' \n ', /empty/],
  ['null', 'null', /single value/],
  ['an object', '{"name": "x"}', /without "plugins"/],
  ['plugins that are no list', '{"name": "x", "plugins": {}}', /not a list/],
  ['half of a catalogue', claudeCatalog('Half', ['one']).slice(0, -9), /not valid JSON/],
  ['a deep nest', `{"plugins": ${'['.repeat(100_000)}`, /64 levels/],
  ['a picture', Buffer.from('89504e470d0a1a0a0000', 'hex'), /UTF-8/],
  ['an archive', Buffer.from('504b0304', 'hex'), /archive/],
  ['404', answering(404), /404/],
  ['500', answering(500, {}, claudeCatalog('Hidden', ['x'])), /500/],
  ['204', answering(204), /204/],
  ['a loop', answering(302, { Location: '/fault' }), /too many times/],
  ['the way to a private network', answering(302, { Location: 'http://10.0.0.1/' }), /private/],
  ['the way to a file', answering(302, { Location: 'file:///etc/passwd' }), /http/],
  [
    'a body that breaks off',
    (_req, res) => {
      res.writeHead(200, { 'Content-Length': '1000' }).write('{"plugins"');
      setImmediate(() => res.destroy());
    },
    /was lost/,
  ],
];

describe('a catalog that cannot be read', () => {
  it.each(failures)(
    '%s: reported, and resolved by the next refresh',
    async (name, badAnswer, reason) => {
      const path = `/${name.replaceAll(/\W/g, '-')}`;
      const answer = (content: Answer): void => void web.files.set(`${path}.json`, content);
      web.files.set('/fault', answering(302, { Location: '/fault' }));
      answer(badAnswer);
      const source = await addSource(host, { url: `${web.baseUrl}${path}.json` });
      expect(source).toMatchObject({ lastRefreshedAt: null, pluginCount: 0, enabled: true });
      expect(source.error).toMatch(reason);
      expect(source.error).toMatch(/^[A-Z0-9].*\.$/);
      answer(claudeCatalog('Healed', ['one']));
      const healed = await refreshSource(host, source.id);
      expect(healed).toMatchObject({ id: source.id, name: 'Healed', pluginCount: 1 });
      expect(healed.error).toBeUndefined();
      answer(badAnswer);
      const failed = await refreshSource(host, source.id);
      expect(failed.error).toMatch(reason);
      expect(failed.errorMessage).toEqual(source.errorMessage);
      const unfailed = { error: undefined, errorMessage: undefined };
      expect({ ...failed, ...unfailed }).toEqual({ ...healed, ...unfailed });
      await expect(gridOf(host, source.id)).resolves.toHaveLength(1);
    },
  );

  it('a "not modified" answer to a first request', async () => {
    web.files.set('/304.json', answering(304));
    const source = await addSource(host, { url: `${web.baseUrl}/304.json` });
    expect(source.error).toMatch(/304/);
  });

  it('a web page that is not a repository either', async () => {
    web.files.set('/page', '<!doctype html><title>Store</title>');
    const source = await addSource(host, { url: `${web.baseUrl}/page` });
    expect(source.error).toMatch(/web page/);
    expect(web.asked.filter((one) => one.startsWith('GET /page'))).toHaveLength(2);
  });

  it('an unreachable server', async () => {
    const url = await closedAddress();
    await expect(addSource(host, { url })).resolves.toMatchObject({
      pluginCount: 0,
      error: expect.stringMatching(/refuses the connection/) as string,
    });
  });

  it('a missing file', async () => {
    const source = await addSource(host, {
      url: `file://${join(host.workDirectory, 'gone.json')}`,
    });
    expect(source.error).toMatch(/no such file/);
    expect(source.error).not.toContain(host.workDirectory);
  });

  it('a file that is too large, or not a catalog', async () => {
    const file = join(host.workDirectory, 'large.json');
    const url = await writeAt(file, Buffer.alloc(17 * mebibyte, ' '));
    const { id, error } = await addSource(host, { url });
    expect(error).toMatch(/16 MiB/);
    await writeFile(file, '<html>');
    await expect(refreshSource(host, id)).resolves.toMatchObject({
      error: expect.stringMatching(/web page/) as string,
    });
  });

  it('uses no more memory than the limit [LIMIT-20]', async () => {
    const used = (): number => {
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    for (const headers of [{}, { 'Content-Encoding': 'gzip' }] as Record<string, string>[]) {
      const piece = 'Content-Encoding' in headers ? zeros : Buffer.alloc(64 * 1024, ' ');
      web.files.set('/flood.json', flooding(headers, piece));
      const before = used();
      let most = 0;
      const watch = setInterval(() => (most = Math.max(most, used())), 2);
      const url = `${web.baseUrl}/flood.json?${piece.length}`;
      const source = await addSource(host, { url });
      clearInterval(watch);
      expect(source.error).toMatch(/16 MiB/);
      expect(most).toBeGreaterThan(0);
      expect(most - before).toBeLessThan(128 * mebibyte);
    }
  });

  it('does not affect others [STORE-05]', async () => {
    web.files.set('/well.json', agentsCatalog('Well', ['one', 'two']));
    const { id } = await addSource(host, { url: `${web.baseUrl}/well.json` });
    const sources = await host.client.call(api.store.sources);
    expect(sources.filter(({ error }) => error !== undefined).length).toBeGreaterThan(
      failures.length,
    );
    expect((await gridOf(host, id)).map(({ name }) => name)).toEqual(['one', 'two']);
    const healed = await gridOf(host);
    expect(healed.filter(({ name }) => name === 'one').length).toBeGreaterThan(failures.length);
    expect(new Set(healed.map((one) => one.id)).size).toBe(healed.length);
  });

  it('invalid entries are reported with the source, and the others are kept', async () => {
    const plugins = [
      { name: 'good', source: './good' },
      { name: 'good', source: './other' },
      { name: 'Good!', source: './slug' },
      { source: './nameless' },
      7,
      { name: '../../x', source: './x' },
      { name: 'outside', source: '../outside' },
    ];
    web.files.set('/mixed.json', JSON.stringify({ name: 'Mixed', owner: { name: 'x' }, plugins }));
    const source = await addSource(host, { url: `${web.baseUrl}/mixed.json` });
    expect(source.error).toBeUndefined();
    const ids = (await gridOf(host, 'mixed')).map((one) => one.id);
    expect(ids).toEqual(expect.arrayContaining(['claude.mixed.good', 'claude.mixed.x']));
    expect(ids).toHaveLength(source.pluginCount);
    expect(source.warnings.map(({ entry }) => entry)).toEqual(
      expect.arrayContaining(['good', 'Good!', 'entry 4', 'entry 5', '../../x']),
    );
    const inChinese = source.warnings.map(({ entry, entryMessage, reasonMessage }) => [
      entryMessage === undefined ? entry : chinese(entryMessage),
      reasonMessage && chinese(reasonMessage),
    ]);
    expect(inChinese).toContainEqual(['条目 4', '没有名称；已跳过']);
    expect(inChinese).toContainEqual(['../../x', '的名称看起来像路径或含有隐藏字符，列为 x']);
  });
});

describe('a slow server', () => {
  it.each([
    ['never answers', (): void => undefined],
    [
      'sends a byte now and then',
      (_req: unknown, res: ServerResponse): void => {
        const timer = setInterval(() => res.write(' '), 20);
        res.on('close', () => clearInterval(timer));
      },
    ],
  ])('%s: given up after the limit', async (_name, answer: Answer) => {
    web.files.set('/slow.json', answer);
    const processes = createProcesses();
    const git = new Git(processes);
    const tools = { git, webAllow: [], staging: host.paths.staging, fetchLimitMs: 200 };
    const url = `${web.baseUrl}/slow.json`;
    const query = { url, form: 'document', ref: null, kind: null, cached: null } as const;
    const started = performance.now();
    await expect(readSource(query, tools, new AbortController().signal)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/in time/) as string,
    });
    expect(performance.now() - started).toBeLessThan(10_000);
    await processes.close();
  });

  it('delays nothing else, and a closing host does not wait for it', async () => {
    const own = await startTestHost();
    try {
      web.files.set('/hanging.json', () => undefined);
      const url = `${web.baseUrl}/hanging.json`;
      const hanging = addSource(own, { url }).catch((error: unknown) => error);
      await expect.poll(() => web.asked).toContain('GET /hanging.json');
      const other = await writeAt(join(own.workDirectory, 'o.json'), claudeCatalog('O', ['one']));
      await expect(addSource(own, { url: other })).resolves.toMatchObject({ id: 'o' });
      await expect(gridOf(own)).resolves.toHaveLength(1);
      const started = performance.now();
      await own.stop();
      expect(performance.now() - started).toBeLessThan(10_000);
      expect(await hanging).toBeInstanceOf(Error);
      const again = await startTestHost({ workDirectory: own.workDirectory });
      const ids = (await again.client.call(api.store.sources)).map(({ id }) => id);
      expect(ids).toEqual(['host', 'o']);
      await again.stop();
    } finally {
      await own.close();
    }
  });
});

describe('a refresh', () => {
  it('asks for changes, and updates the time if there are none', async () => {
    let text = claudeCatalog('Tagged', ['one']);
    let version = 1;
    const asked: (string | undefined)[] = [];
    web.files.set('/tagged.json', (req, res) => {
      asked.push(req.headers['if-none-match'], req.headers['if-modified-since']);
      const headers = { ETag: `"v${version}"`, 'Last-Modified': `${version}` };
      const same = req.headers['if-none-match'] === headers.ETag;
      res.writeHead(same ? 304 : 200, headers).end(same ? undefined : text);
    });
    const { id, lastRefreshedAt } = await addSource(host, { url: `${web.baseUrl}/tagged.json` });
    await expect
      .poll(async () => (await refreshSource(host, id)).lastRefreshedAt)
      .not.toBe(lastRefreshedAt);
    expect(asked.slice(0, 4)).toEqual([undefined, undefined, '"v1"', '1']);
    await expect(gridOf(host, id)).resolves.toHaveLength(1);
    text = claudeCatalog('Tagged', ['one', 'two']);
    version = 2;
    await expect(refreshSource(host, id)).resolves.toMatchObject({ pluginCount: 2 });
    await refreshSource(host, id);
    expect(asked.slice(-2)).toEqual(['"v2"', '2']);
    await expect(gridOf(host, id)).resolves.toHaveLength(2);
  });

  it('requested twice at the same time happens once', async () => {
    web.files.set('/twice.json', claudeCatalog('Twice', ['one']));
    const { id } = await addSource(host, { url: `${web.baseUrl}/twice.json` });
    let answer = (): void => undefined;
    web.files.set('/twice.json', (_req, res) => {
      answer = () => void res.end(claudeCatalog('Twice', ['one', 'two']));
    });
    const before = web.asked.length;
    const both = [refreshSource(host, id), refreshSource(host, id)];
    await expect.poll(() => web.asked.length).toBe(before + 1);
    await expect.poll(() => sourceOf(host, id)).toMatchObject({ pluginCount: 1 });
    answer();
    for (const one of await Promise.all(both)) expect(one.pluginCount).toBe(2);
    expect(web.asked.length).toBe(before + 1);
  });
});

describe('without the network', () => {
  const cacheOf = (own: TestHost, id: string): string =>
    join(own.paths.host, 'store', `${id}.json`);
  async function change(own: TestHost, id: string, fields: Record<string, unknown>): Promise<void> {
    const cached = JSON.parse(await readFile(cacheOf(own, id), 'utf8')) as object;
    await writeFile(cacheOf(own, id), JSON.stringify({ ...cached, ...fields }));
  }

  it('the store opens with the last known catalogs; damaged ones and those of another address are ignored', async () => {
    const server = await startStaticServer();
    let own = await startTestHost();
    const names = ['fresh', 'stale', 'torn', 'no-json', 'elsewhere', 'no-date', 'future'];
    try {
      for (const name of names) {
        server.files.set(`/${name}.json`, claudeCatalog(name, ['one', 'two']));
        await addSource(own, { url: `${server.baseUrl}/${name}.json` });
      }
      await own.stop();
      await server.close();
      const old = new Date(Date.now() - 2 * 60 * 60 * 1_000).toISOString();
      await change(own, 'stale', { fetchedAt: old });
      await change(own, 'no-date', { fetchedAt: 'yesterday' });
      await change(own, 'future', { fetchedAt: '2999-01-01T00:00:00.000Z' });
      await change(own, 'elsewhere', { url: `${server.baseUrl}/else.json` });
      await change(own, 'no-json', { text: '{' });
      await writeFile(cacheOf(own, 'torn'), '{"url"');
      own = await startTestHost({ workDirectory: own.workDirectory });
      const counts = new Map(
        (await own.client.call(api.store.sources)).map((one) => [one.id, one.pluginCount]),
      );
      expect(names.map((name) => counts.get(name))).toEqual([2, 2, 0, 0, 0, 2, 2]);
      expect(await gridOf(own)).toHaveLength(8);
      for (const name of names.slice(1)) {
        await expect
          .poll(async () => (await sourceOf(own, name))?.error)
          .toMatch(/refuses the connection/);
      }
      const fresh = await sourceOf(own, 'fresh');
      expect(fresh?.error).toBeUndefined();
      expect(await gridOf(own)).toHaveLength(8);
    } finally {
      await own.close();
    }
  });

  it('catalogs older than an hour are refreshed in the background after the start', async () => {
    const server = await startStaticServer();
    let own = await startTestHost();
    try {
      for (const name of ['new', 'old', 'hidden']) {
        server.files.set(`/${name}.json`, claudeCatalog(name, ['one']));
        const { id } = await addSource(own, { url: `${server.baseUrl}/${name}.json` });
        if (name === 'hidden') {
          await own.client.call(api.store.setSourceEnabled, {
            params: { id },
            body: { enabled: false },
          });
        }
      }
      await own.stop();
      const old = new Date(Date.now() - 61 * 60 * 1_000).toISOString();
      await change(own, 'old', { fetchedAt: old });
      await change(own, 'hidden', { fetchedAt: old });
      server.files.set('/old.json', claudeCatalog('old', ['one', 'two']));
      server.asked.length = 0;
      own = await startTestHost({ workDirectory: own.workDirectory });
      await expect.poll(async () => (await sourceOf(own, 'old'))?.pluginCount).toBe(2);
      expect((await sourceOf(own, 'old'))?.lastRefreshedAt).not.toBe(old);
      expect(server.asked).toEqual(['GET /old.json']);
      await expect.poll(() => readFile(cacheOf(own, 'old'), 'utf8')).toContain('two');
    } finally {
      await own.close();
      await server.close();
    }
  });

  it('adding a source succeeds, with the failure as its error', async () => {
    const url = await closedAddress();
    const answer = await host.ask('/api/plugin-store/sources', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ url }),
    });
    expect(answer.status).toBe(201);
    await expect(addSource(host, { url })).rejects.toEqual(problem('source_exists', 409));
  });
});
