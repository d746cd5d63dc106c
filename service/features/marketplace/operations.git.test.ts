import { readdir } from 'node:fs/promises';
import { useGitStore } from '../../testing/store/use-git-store.ts';
import { describe, expect, it } from 'vitest';
import { api, type PluginOperation } from '../../contract/index.ts';
import { processesOf } from '../../testing/store/processes-of.ts';
import { type Entry, subscribed } from '../../testing/store/subscribed.ts';

const { host, web, server, history, install, details, uninstall, textOf } = await useGitStore();

const entry = (name: string, version: string, ref = 'main'): Entry => ({
  name,
  version,
  source: { source: 'git-subdir', url: server.urlOf('plugins'), path: 'one', ref },
});
const show = (id: string) => host.client.call(api.store.operation, { params: { id } });
const cancel = (id: string) => host.client.call(api.store.cancelOperation, { params: { id } });

async function startOperation(id: string, what: 'install' | 'update' = 'install'): Promise<string> {
  const answer = await host.ask(`/api/plugin-market/${id}/${what}`, {
    method: 'POST',
    headers: { Prefer: 'wait=5, respond-async' },
  });
  expect(answer.status).toBe(202);
  return (answer.json() as { operationId: string }).operationId;
}

async function follow(id: string, seen: PluginOperation[] = []): Promise<PluginOperation[]> {
  const events = host.client.stream(api.store.operationStream, { params: { id } });
  for await (const { event, data } of events) {
    expect(event).toBe('progress');
    seen.push(data);
  }
  return seen;
}

/** Holds the requests of git until they are released. */
function hold(): { held: () => number; letGo: () => void } {
  const pending: (() => void)[] = [];
  server.instead = (req, _res, goOn) => {
    if (req.method !== 'POST') return false;
    pending.push(goOn);
    return true;
  };
  return {
    held: () => pending.length,
    letGo() {
      server.instead = () => false;
      for (const goOn of pending.splice(0)) goOn();
    },
  };
}

describe('an installation in the background', () => {
  it('reports its progress until it is done and the plugin is installed [MARKET-13]', async () => {
    await subscribed(host, 'behind', [entry('x', '1.0.0')], web);
    const id = 'claude.behind.x';
    const { letGo } = hold();
    const operation = await startOperation(id);
    expect(await show(operation)).toMatchObject({ id: operation, pluginId: id, kind: 'install' });
    const seen: PluginOperation[] = [];
    const following = follow(operation, seen);
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    letGo();
    await following;
    expect(seen[0]).toMatchObject({ state: 'running' });
    expect(seen.at(-1)).toEqual({
      id: operation,
      pluginId: id,
      kind: 'install',
      state: 'completed',
      phase: 'done',
    });
    for (const { state } of seen.slice(0, -1)) expect(state).toBe('running');
    const phases = [...new Set(seen.map(({ phase }) => phase))];
    const order = ['waiting', 'resolving', 'receiving', 'writing', 'done'];
    expect(phases).toEqual(order.filter((phase) => phases.includes(phase)));
    expect(await details(id)).toMatchObject({ installed: true, commit: history.commits.second });
    expect(await follow(operation)).toEqual(seen.slice(-1));
    await cancel(operation);
    expect(await show(operation)).toMatchObject({ state: 'completed' });
    expect(await details(id)).toMatchObject({ installed: true });
  });

  it('that fails reports why', async () => {
    await subscribed(host, 'failing', [entry('x', '1.0.0', 'gone')], web);
    const seen = await follow(await startOperation('claude.failing.x'));
    expect(seen.at(-1)).toMatchObject({
      state: 'failed',
      message: 'The repository cannot be used: it has no such branch, tag or commit.',
    });
    expect(await details('claude.failing.x')).toMatchObject({ installed: false });
  });

  it('can be found without its id', async () => {
    await subscribed(host, 'found', [entry('x', '1.0.0')], web);
    const id = 'claude.found.x';
    const { held, letGo } = hold();
    const { operationId } = await host.client.start(api.market.install, { params: { id } });
    await expect.poll(held).toBeGreaterThan(0);
    const list = async () =>
      (await host.client.call(api.store.operations)).filter(({ pluginId }) => pluginId === id);
    expect(await list()).toMatchObject([{ id: operationId, kind: 'install', state: 'running' }]);
    letGo();
    await follow(operationId);
    expect(await list()).toMatchObject([{ id: operationId, state: 'completed' }]);
  });

  it('is the only one of its plugin', async () => {
    await subscribed(host, 'single', [entry('x', '1.0.0')], web);
    const id = 'claude.single.x';
    const { held, letGo } = hold();
    const operation = await startOperation(id);
    await expect.poll(held).toBeGreaterThan(0);
    await expect(install(id)).rejects.toMatchObject({
      problem: { status: 409, code: 'operation_running' },
    });
    await expect(uninstall(id)).rejects.toMatchObject({ problem: { status: 404 } });
    letGo();
    expect((await follow(operation)).at(-1)).toMatchObject({ state: 'completed' });
    expect(await details(id)).toMatchObject({ installed: true });
  });

  it('that is cancelled leaves nothing, and can be started again', async () => {
    await subscribed(host, 'given-up', [entry('x', '1.0.0')], web);
    const id = 'claude.given-up.x';
    const { held } = hold();
    const operation = await startOperation(id);
    const following = follow(operation);
    await expect.poll(held).toBeGreaterThan(0);
    await cancel(operation);
    expect((await following).at(-1)).toMatchObject({ state: 'cancelled' });
    expect(await details(id)).toMatchObject({ installed: false });
    expect(await readdir(host.paths.plugins)).not.toContain(id);
    expect(await readdir(host.paths.staging)).toEqual([]);
    expect(await processesOf(host.paths.staging)).toEqual([]);
    server.instead = () => false;
    await install(id);
  });

  it('does not block one of another plugin', async () => {
    await subscribed(host, 'both', [entry('a', '1.0.0'), entry('b', '1.0.0', 'dev/next')], web);
    const { held, letGo } = hold();
    const both = [install('claude.both.a'), install('claude.both.b')];
    await expect.poll(held).toBe(2);
    letGo();
    await Promise.all(both);
    expect([await textOf('claude.both.a'), await textOf('claude.both.b')]).toEqual([
      'second',
      'dev',
    ]);
  });

  it('can be followed only by its id', async () => {
    const nothing = { problem: { status: 404, code: 'unknown_operation' } };
    await expect(show('nothing')).rejects.toMatchObject(nothing);
    await expect(cancel('nothing')).rejects.toMatchObject(nothing);
    await expect(follow('nothing')).rejects.toMatchObject(nothing);
  });
});

describe('an update in the background', () => {
  async function updatable(name: string): Promise<string> {
    const { change } = await subscribed(host, name, [entry('x', '1.0.0', 'light')], web);
    const id = `claude.${name}.x`;
    await install(id);
    await change([entry('x', '2.0.0')]);
    expect(await details(id)).toMatchObject({ updateAvailable: true });
    return id;
  }

  it('that is cancelled does not change the old copy', async () => {
    const id = await updatable('kept');
    const { held } = hold();
    const operation = await startOperation(id, 'update');
    await expect.poll(held).toBeGreaterThan(0);
    await cancel(operation);
    expect(await show(operation)).toMatchObject({ kind: 'update', state: 'cancelled' });
    expect(await textOf(id)).toBe('first');
    expect(await details(id)).toMatchObject({
      installed: true,
      updateAvailable: true,
      installedVersion: '1.0.0',
      contents: { skills: ['sum'] },
    });
    expect(await readdir(host.paths.staging)).toEqual([]);
  });

  it('does not restore a plugin that is uninstalled meanwhile', async () => {
    const id = await updatable('removed');
    const { held } = hold();
    const operation = await startOperation(id, 'update');
    await expect.poll(held).toBeGreaterThan(0);
    await uninstall(id);
    expect(await show(operation)).toMatchObject({ state: 'cancelled' });
    expect(await details(id)).toMatchObject({ installed: false });
    expect(await readdir(host.paths.plugins)).not.toContain(id);
  });

  it('requested while its plugin is being uninstalled does not restore it', async () => {
    const { change } = await subscribed(host, 'leaving', [entry('x', '1.0.0', 'light')], web);
    const id = 'claude.leaving.x';
    for (let time = 0; time < 2; time += 1) {
      await change([entry('x', '1.0.0', 'light')]);
      await install(id);
      await change([entry('x', '2.0.0')]);
      const removing = uninstall(id);
      const started = await startOperation(id, 'update').catch(() => null);
      await removing;
      if (started !== null)
        await expect.poll(async () => (await show(started)).state).not.toBe('running');
      expect(await details(id)).toMatchObject({ installed: false });
      expect(await readdir(host.paths.plugins)).not.toContain(id);
    }
  });

  it('and uninstalling at any moment leave one complete copy or none', async () => {
    const { change } = await subscribed(host, 'racing', [entry('x', '1.0.0', 'light')], web);
    const id = 'claude.racing.x';
    const phases = ['waiting', 'resolving', 'receiving', 'writing', 'done'];
    for (const [reached] of phases.entries()) {
      await change([entry('x', '1.0.0', 'light')]);
      await install(id);
      await change([entry('x', '2.0.0')]);
      const operation = await startOperation(id, 'update');
      await expect
        .poll(async () => phases.indexOf((await show(operation)).phase))
        .toBeGreaterThanOrEqual(reached);
      await uninstall(id);
      expect(await show(operation)).not.toMatchObject({ state: 'running' });
      expect(await details(id)).toMatchObject({ installed: false });
      expect(await readdir(host.paths.plugins)).not.toContain(id);
      expect(await readdir(host.paths.staging)).toEqual([]);
    }
  });
});
