import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { api, PluginStoreSource, type Problem } from '../../contract/index.ts';
import { problem } from '../../testing/problem.ts';
import {
  addSource,
  agentsCatalog,
  claudeCatalog,
  gridOf,
  refreshSource,
  removeSource,
  setSource,
  sourceOf,
  writeAt,
} from '../../testing/store/sources.ts';
import { startStaticServer } from '../../testing/store/static-server.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const web = await useForFile(startStaticServer());
const host = await useForFile(startTestHost());

const pathOf = (name: string): string => join(host.workDirectory, name);
const file = (name: string, content: string): Promise<string> => writeAt(pathOf(name), content);
const sourceIds = async (): Promise<string[]> =>
  (await host.client.call(api.store.sources)).map(({ id }) => id);
const namesOf = async (id: string): Promise<string[]> =>
  (await gridOf(host, id)).map(({ name }) => name);

describe('a source is added', () => {
  it('from a file, whose kind is detected [STORE-01, STORE-02, STORE-03, STORE-07]', async () => {
    const url = await file('first.json', `\uFEFF${claudeCatalog('First', ['one', 'two'])}`);
    const source = await addSource(host, { url });
    expect(source).toEqual({
      id: 'first',
      kind: 'CLAUDE',
      name: 'First',
      url,
      enabled: true,
      builtIn: false,
      lastRefreshedAt: expect.any(String) as string,
      pluginCount: 2,
      warnings: [],
    });
    await expect(namesOf('first')).resolves.toEqual(['one', 'two']);
    const other = await file('second.json', agentsCatalog('Second', ['three']));
    await expect(addSource(host, { url: other })).resolves.toMatchObject({
      id: 'second',
      kind: 'AGENTS',
      pluginCount: 1,
    });
    const packages = await file('third.json', '{"plugins": []}');
    await expect(addSource(host, { url: packages })).resolves.toMatchObject({
      id: 'third',
      kind: 'HOST',
      name: 'third',
      pluginCount: 0,
    });
  });

  it('from the web, whatever its address ends with', async () => {
    web.files.set('/a/catalog.json', claudeCatalog('Web one', ['one']));
    web.files.set('/store', agentsCatalog('Web two', ['two', 'three']));
    web.files.set('/x/.agents/plugins/marketplace.json', '{"name": "Web three", "plugins": []}');
    const upper = web.baseUrl.replace('http', 'HTTP');
    await expect(addSource(host, { url: `${upper}/a/catalog.json` })).resolves.toMatchObject({
      id: 'web-one',
      kind: 'CLAUDE',
      url: `${web.baseUrl}/a/catalog.json`,
      pluginCount: 1,
    });
    await expect(addSource(host, { url: `${web.baseUrl}/store` })).resolves.toMatchObject({
      id: 'web-two',
      kind: 'AGENTS',
      pluginCount: 2,
    });
    await expect(
      addSource(host, { url: `${web.baseUrl}/x/.agents/plugins/marketplace.json` }),
    ).resolves.toMatchObject({ id: 'web-three', kind: 'AGENTS', pluginCount: 0 });
  });

  it('with a kind chosen by the user, and a wrong one is reported', async () => {
    const claude = await file('wrong.json', claudeCatalog('Wrong', ['one']));
    await expect(addSource(host, { url: claude, kind: 'HOST' })).resolves.toMatchObject({
      kind: 'HOST',
      pluginCount: 0,
      error: expect.stringMatching(/of the type CLAUDE, not HOST/) as string,
    });
    const packages = await file(
      'packages.json',
      '{"plugins": [{"id": "a.b", "name": "B", "version": "1.0.0", "package": "b.plugin"}]}',
    );
    const wrong = await addSource(host, { url: packages, kind: 'AGENTS' });
    expect(wrong.error).toMatch(/of the type HOST, not AGENTS/);
    await removeSource(host, wrong.id);
    await expect(addSource(host, { url: packages })).resolves.toMatchObject({ pluginCount: 1 });
  });

  it('with an undetectable kind, with the advice to name it', async () => {
    const url = await file('bare-names.json', '{"plugins": [{"name": "x"}]}');
    await expect(addSource(host, { url })).resolves.toMatchObject({
      error: expect.stringMatching(/type of this catalog.*choose the type/) as string,
    });
    await expect(addSource(host, { url, kind: 'CLAUDE' })).rejects.toEqual(
      problem('source_exists', 409),
    );
    await expect(addSource(host, { url, kind: 'AGENTS' })).resolves.toMatchObject({
      kind: 'AGENTS',
      pluginCount: 0,
      warnings: [expect.objectContaining({ entry: 'x' })],
    });
  });
});

describe('an address is refused', () => {
  it.each([
    ...['ssh://git@example.com/a/b.git', 'git@example.com:a/b', 'git://example.com/a/b.git'],
    ...['ext::sh -c true', '-x', '--upload-pack=x', '-x/y', 'javascript:alert(1)', 'data:,{}'],
    ...['ftp://example.com/x.json', 'file://server/share/x.json', 'file:///x%00.json'],
    ...['file:///x%2Fy.json', '/some/folder', './folder', '~/folder', 'word', 'a/b/c', 'a/..'],
    ...['https://', 'http://[::1', 'example.com/x.json:', 'C:\\catalog.json'],
  ])('%s, with an explanation of what a valid one looks like', async (url) => {
    const before = await sourceIds();
    const refused = await addSource(host, { url }).catch((error: unknown) => error);
    expect(refused).toEqual(problem('invalid_source', 400));
    const { detail, message, errors } = (refused as { problem: Problem }).problem;
    expect(errors).toEqual([{ path: 'url', message: detail, text: message }]);
    expect(detail).toMatch(/owner\/repo/);
    await expect(sourceIds()).resolves.toEqual(before);
  });

  it('with a name or a password in it, which no answer repeats', async () => {
    for (const url of [
      'https://someone:hunter2@example.com/x.json',
      'https://hunter2@example.com/x.git',
    ]) {
      const answer = await host.ask('/api/plugin-store/sources', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ url }),
      });
      expect(answer.status).toBe(400);
      expect(answer.text).not.toContain('hunter2');
    }
  });

  it.each([
    {},
    { url: '' },
    { url: '   ' },
    { url: 7 },
    { url: 'a/b', name: 'x' },
    { url: 'a/b', kind: 'OTHER' },
    { url: 'a/b', ref: '-x' },
    { url: 'a/b', ref: 'a..b' },
    { url: 'a/b', ref: 'a b' },
    { url: `https://example.com/${'x'.repeat(2_000)}` },
  ])('as part of %j', async (body) => {
    const answer = await host.ask('/api/plugin-store/sources', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(400);
  });

  it('if the store has it already, however it is written', async () => {
    const url = await file('same.json', claudeCatalog('Same', ['one']));
    const twice = await Promise.allSettled([addSource(host, { url }), addSource(host, { url })]);
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const exists = problem('source_exists', 409);
    await expect(addSource(host, { url: ` ${url}#top ` })).rejects.toEqual(exists);
    await expect(addSource(host, { url, kind: 'CLAUDE' })).rejects.toEqual(exists);
  });
});

describe('the id of a source', () => {
  it('is its name as one safe path segment, and unique', async () => {
    const names: [string, RegExp][] = [
      ['Tools', /^tools$/],
      ['tools', /^tools-2$/],
      ['TOOLS!', /^tools-3$/],
      ['host', /^host-2$/],
      ['../../x', /^x$/],
      ['CON', /^plugin-con$/],
      ['..', /^name-7$/],
      ['Werkzeug für Übung', /^werkzeug-fur-ubung$/],
      ['Инструменты', /^plugin-[0-9a-f]{8}$/],
      ['道具箱', /^plugin-[0-9a-f]{8}$/],
      ['أدوات', /^plugin-[0-9a-f]{8}$/],
      ['🙂', /^name-12$/],
      ['a\u202Eb\u0000c', /^[a-z0-9-]+$/],
      ['x'.repeat(300), /^x{40,50}[-x0-9a-f]*$/],
    ];
    const found: string[] = [];
    for (const [index, [name, id]] of names.entries()) {
      const url = await file(`name-${index + 1}.json`, claudeCatalog(name, ['one']));
      const source = await addSource(host, { url });
      expect(source.id).toMatch(id);
      expect(source.name).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      found.push(source.id);
    }
    expect(new Set(found).size).toBe(names.length);
    for (const id of found) {
      const grid = await gridOf(host, id);
      expect(grid.map((one) => one.id)).toEqual([`claude.${id}.one`]);
    }
    const cacheFiles = await readdir(join(host.paths.host, 'store'));
    expect(cacheFiles).toEqual(expect.arrayContaining(found.map((id) => `${id}.json`)));
    expect(cacheFiles.filter((name) => !/^[a-z0-9_-]+\.json$/.test(name))).toEqual([]);
  });

  it('stays unique when several are added at the same time', async () => {
    const urls = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => file(`twin-${n}.json`, claudeCatalog('Twin', [`one-${n}`]))),
    );
    const added = await Promise.all(urls.map((url) => addSource(host, { url })));
    expect(added.map(({ id }) => id).sort()).toEqual([
      ...['twin', 'twin-2', 'twin-3', 'twin-4', 'twin-5'],
    ]);
  });
});

describe('an existing source', () => {
  it('can be hidden and shown again, and be removed [STORE-08]', async () => {
    const url = await file('shown.json', claudeCatalog('Shown', ['one', 'two']));
    const { id } = await addSource(host, { url });
    await expect(setSource(host, id, false)).resolves.toMatchObject({ id, enabled: false });
    await expect(namesOf(id)).resolves.toEqual([]);
    await expect(sourceOf(host, id)).resolves.toMatchObject({ enabled: false, pluginCount: 2 });
    await expect(setSource(host, id, true)).resolves.toMatchObject({ id, enabled: true });
    await expect(namesOf(id)).resolves.toEqual(['one', 'two']);
    const answer = await host.ask(`/api/plugin-store/sources/${id}`, { method: 'DELETE' });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: '' });
    await expect(sourceOf(host, id)).resolves.toBeUndefined();
    await expect(namesOf(id)).resolves.toEqual([]);
    expect(await readdir(join(host.paths.host, 'store'))).not.toContain(`${id}.json`);
    await expect(addSource(host, { url })).resolves.toMatchObject({ id });
  });

  it('is read again on request [STORE-09]', async () => {
    const url = await file('again.json', claudeCatalog('Again', ['one']));
    const { id, lastRefreshedAt } = await addSource(host, { url });
    await file('again.json', claudeCatalog('Once again', ['one', 'two']));
    const refreshed = await refreshSource(host, id);
    expect(refreshed).toMatchObject({ id: 'again', name: 'Once again', pluginCount: 2 });
    expect(Date.parse(String(refreshed.lastRefreshedAt))).toBeGreaterThanOrEqual(
      Date.parse(String(lastRefreshedAt)),
    );
    await file('again.json', agentsCatalog('Of another kind', ['three']));
    await expect(refreshSource(host, id)).resolves.toMatchObject({ id, kind: 'AGENTS' });
    await expect(namesOf(id)).resolves.toEqual(['three']);
  });

  it('is 404 once it is removed, and an invalid change is 400', async () => {
    const unknownSource = problem('unknown_source', 404);
    await expect(refreshSource(host, 'nothing')).rejects.toEqual(unknownSource);
    await expect(removeSource(host, 'nothing')).rejects.toEqual(unknownSource);
    await expect(setSource(host, 'nothing', true)).rejects.toEqual(unknownSource);
    for (const body of ['{}', '{"enabled": "no"}', '{"enabled": true, "name": "x"}']) {
      const answer = await host.ask('/api/plugin-store/sources/host', {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json' },
        body,
      });
      expect(answer.status).toBe(400);
    }
  });

  it('matches the contract', async () => {
    const sources = await host.client.call(api.store.sources);
    const exact = z.array(z.strictObject(PluginStoreSource.shape));
    expect(exact.parse(sources)).toEqual(sources);
    expect(sources[0]).toMatchObject({ id: 'host', builtIn: true, kind: 'HOST' });
    const added = sources.slice(1).filter(({ builtIn }) => !builtIn);
    expect(added).toHaveLength(sources.length - 1);
  });
});

describe('with a host of its own', () => {
  it('the built-in source always exists, cannot be removed, and can be hidden permanently [STORE-04]', async () => {
    let own = await startTestHost();
    try {
      await expect(own.client.call(api.store.sources)).resolves.toEqual([
        {
          id: 'host',
          kind: 'HOST',
          name: 'Official plugins',
          url: 'app://plugins',
          enabled: true,
          builtIn: true,
          lastRefreshedAt: null,
          pluginCount: 0,
          warnings: [],
        },
      ]);
      await expect(removeSource(own, 'host')).rejects.toEqual(problem('built_in_source', 409));
      await Promise.all([setSource(own, 'host', false), setSource(own, 'host', false)]);
      await own.stop();
      own = await startTestHost({ workDirectory: own.workDirectory });
      await expect(sourceOf(own, 'host')).resolves.toMatchObject({ enabled: false });
      await expect(refreshSource(own, 'host')).resolves.toMatchObject({ enabled: false });
      await setSource(own, 'host', true);
      await own.stop();
      own = await startTestHost({ workDirectory: own.workDirectory });
      await expect(sourceOf(own, 'host')).resolves.toMatchObject({ enabled: true });
    } finally {
      await own.close();
    }
  });

  it('there are at most a hundred, and all of them survive a restart', async () => {
    let own = await startTestHost();
    try {
      const url = await writeAt(join(own.workDirectory, 'many.json'), claudeCatalog('Many', ['a']));
      await Promise.all(
        Array.from({ length: 99 }, (_, n) => addSource(own, { url, ref: `branch-${n}` })),
      );
      const more = addSource(own, { url, ref: 'one-more' });
      await expect(more).rejects.toEqual(problem('too_many_sources', 409));
      const before = await own.client.call(api.store.sources);
      expect(new Set(before.map(({ id }) => id)).size).toBe(100);
      await removeSource(own, 'many-50');
      await addSource(own, { url, ref: 'one-more' });
      await own.stop();
      own = await startTestHost({ workDirectory: own.workDirectory });
      expect(await own.client.call(api.store.sources)).toHaveLength(100);
      expect(await gridOf(own)).toHaveLength(99);
    } finally {
      await own.close();
    }
  });
});
