import { createServer, type ServerResponse } from 'node:http';
import { useGitStore } from '../../testing/store/use-git-store.ts';
import type { AddressInfo } from 'node:net';
import { readdir } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { api } from '../../contract/index.ts';
import { type PluginHistory } from '../../testing/store/plugin-history.ts';
import { processesOf } from '../../testing/store/processes-of.ts';
import { type Entry, subscribed } from '../../testing/store/subscribed.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { pluginFolders } from '../../testing/plugin-folders.ts';

const { host, web, server, history, install, details, textOf } = await useGitStore();

const inGit = (url: string, more: Record<string, string> = {}): Entry['source'] => ({
  source: 'git-subdir',
  url,
  path: 'one',
  ...more,
});

/** Starts an installation and returns how to follow it. */
async function startOperation(id: string): Promise<string> {
  const answer = await host.ask(`/api/plugin-market/${id}/install`, {
    method: 'POST',
    headers: { Prefer: 'respond-async' },
  });
  expect(answer.status).toBe(202);
  return (answer.json() as { operationId: string }).operationId;
}

describe.each(['file', 'smart', 'plain'] as const)('over the %s protocol', (protocol) => {
  const urls = {
    file: () => history.repository.url,
    smart: () => server.urlOf('plugins'),
    plain: () => server.plainUrlOf('plugins'),
  };

  it('the commit named by the catalog is installed, or none [MARKET-13] [STORE-06]', async () => {
    const url = urls[protocol]();
    const name = `over-${protocol}`;
    const absent = '0123456789'.repeat(4);
    const cases: Record<string, [more: Record<string, string>, commit: string | null]> = {
      plain: [{}, 'second'],
      branch: [{ ref: 'dev/next' }, 'dev'],
      tag: [{ ref: 'light' }, 'first'],
      annotated: [{ ref: 'heavy' }, 'first'],
      'full-name': [{ ref: 'refs/heads/dev/next' }, 'dev'],
      'pin-of-old': [{ sha: history.commits.middle }, 'middle'],
      'pin-of-branch': [{ ref: 'dev/next', sha: history.commits.dev }, 'dev'],
      'pin-behind-branch': [{ ref: 'dev/next', sha: history.commits.middle }, 'middle'],
      'pin-of-nothing': [{ sha: absent }, null],
      'pin-without-branch': [{ ref: 'gone', sha: absent }, null],
    };
    const catalog = await subscribed(
      host,
      name,
      Object.entries(cases).map(([one, [more]]) => ({ name: one, source: inGit(url, more) })),
      protocol === 'file' ? undefined : web,
    );
    expect(catalog.source).toMatchObject({ id: name, pluginCount: Object.keys(cases).length });
    for (const [one, [, expected]] of Object.entries(cases)) {
      const id = `claude.${name}.${one}`;
      if (expected === null) {
        await expect(install(id), one).rejects.toMatchObject({
          problem: { status: 502, code: 'pin_mismatch' },
        });
        expect(await details(id)).toMatchObject({ installed: false });
        expect(await readdir(host.paths.plugins)).not.toContain(id);
        continue;
      }
      await expect(install(id), one).resolves.toMatchObject({ id, contents: { skills: ['sum'] } });
      expect(await textOf(id)).toBe(expected);
      expect(await details(id)).toMatchObject({
        installed: true,
        commit: history.commits[expected as keyof PluginHistory['commits']],
        sourceId: name,
      });
    }
    expect(await readdir(host.paths.staging)).toEqual([]);
  });

  it('an error names what is not in the repository', async () => {
    const url = urls[protocol]();
    const name = `missing-${protocol}`;
    await subscribed(
      host,
      name,
      [
        { name: 'no-folder', source: inGit(url, { path: 'three' }) },
        { name: 'a-file', source: inGit(url, { path: 'one/skills/sum/SKILL.md' }) },
        { name: 'no-branch', source: inGit(url, { ref: 'gone' }) },
        { name: 'no-repository', source: inGit(url.replace(/(?:\.git)?$/, '-gone.git')) },
      ],
      protocol === 'file' ? undefined : web,
    );
    const problems: Record<string, [number, string, RegExp]> = {
      'no-folder': [422, 'invalid_repository', /no folder three/],
      'a-file': [422, 'invalid_repository', /no folder one\/skills\/sum\/SKILL\.md/],
      'no-branch': [502, 'git_failed', /no such branch, tag or commit/],
      'no-repository': [502, 'git_failed', /no such repository/],
    };
    for (const [one, [status, code, detail]] of Object.entries(problems)) {
      await expect(install(`claude.${name}.${one}`), one).rejects.toMatchObject({
        problem: { status, code, detail: expect.stringMatching(detail) as string },
      });
    }
  });
});

it('a server that serves only the tips of branches is asked for their history', async () => {
  const name = 'old-server';
  await subscribed(
    host,
    name,
    [
      { name: 'old', source: inGit(server.urlOf('plugins'), { sha: history.commits.middle }) },
      { name: 'none', source: inGit(server.urlOf('plugins'), { sha: '0123456789'.repeat(4) }) },
    ],
    web,
  );
  server.instead = (req) => {
    delete req.headers['git-protocol'];
    return false;
  };
  await install(`claude.${name}.old`);
  expect(await textOf(`claude.${name}.old`)).toBe('middle');
  await expect(install(`claude.${name}.none`)).rejects.toMatchObject({
    problem: { status: 502, code: 'pin_mismatch' },
  });
});

describe('a web server', () => {
  const answer = (res: ServerResponse, status: number, location = ''): boolean => {
    res.writeHead(status, location === '' ? {} : { Location: location }).end();
    return true;
  };

  it('is followed to a moved repository, but not to files or a private network', async () => {
    const other = createServer((_, res) => void res.end());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const port = (other.address() as AddressInfo).port;
    let reached = 0;
    other.on('connection', () => (reached += 1));
    const targets: Record<string, string> = {
      moved: `${server.base}/plugins.git`,
      files: history.repository.url,
      private: 'http://10.1.2.3',
      metadata: 'http://169.254.169.254/latest',
      'other-scheme': 'ext::sh',
    };
    server.instead = (req, res) => {
      const [, name = '', rest = ''] = /^\/([\w-]+)\.git(.*)$/.exec(req.url ?? '') ?? [];
      const target = targets[name];
      if (target !== undefined) return answer(res, 302, target + rest);
      if (name === 'short') {
        return answer(res, 301, `${server.base}/plain-plugins.git${rest.replace(/\?.*/, '')}`);
      }
      // First an answer, then a redirect of the requests with data.
      if (name !== 'late') return false;
      if (req.method === 'POST') return answer(res, 307, `http://127.0.0.1:${port}${rest}`);
      req.url = `/plugins.git${rest}`;
      return false;
    };
    await subscribed(
      host,
      'moving',
      [...Object.keys(targets), 'short', 'late'].map((name) => ({
        name,
        source: inGit(server.urlOf(name)),
      })),
      web,
    );
    for (const id of ['claude.moving.moved', 'claude.moving.short']) {
      await install(id);
      expect(await textOf(id)).toBe('second');
    }
    for (const name of ['files', 'private', 'metadata', 'other-scheme']) {
      await expect(install(`claude.moving.${name}`), name).rejects.toMatchObject({
        problem: { status: 400, code: 'address_refused' },
      });
    }
    await expect(install('claude.moving.late')).rejects.toMatchObject({
      problem: {
        status: 502,
        code: 'git_failed',
        detail: 'The repository cannot be used: it has moved. Use its new address.',
      },
    });
    expect(reached).toBe(0);
  });

  it('that refuses access is quoted in the error, and no password is requested', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    server.instead = (req, res) => {
      const status = Number(/^\/status-(\d+)\.git/.exec(req.url ?? '')?.[1]);
      if (!status) return false;
      res.setHeader('WWW-Authenticate', 'Basic realm="x"');
      return answer(res, status);
    };
    const names = ['status-401', 'status-403', 'status-404', 'status-500'];
    await subscribed(
      host,
      'refusing',
      [
        ...names.map((name) => ({ name, source: inGit(server.urlOf(name)) })),
        { name: 'nobody', source: inGit(`http://127.0.0.1:${port}/x.git`) },
      ],
      web,
    );
    const details: Record<string, RegExp> = {
      'status-401': /asks for a sign-in/,
      'status-403': /asks for a sign-in/,
      'status-404': /no such repository/,
      'status-500': /returned 500/,
      nobody: /./,
    };
    for (const [name, detail] of Object.entries(details)) {
      await expect(install(`claude.refusing.${name}`), name).rejects.toMatchObject({
        problem: { status: 502, detail: expect.stringMatching(detail) as string },
      });
    }
  });

  it.each(['resolving', 'receiving'])(
    'that never answers while %s blocks nothing: the operation is cancelled and leaves nothing behind',
    async (phase) => {
      let pending = 0;
      server.instead = (req) => {
        const silent = /^\/silent\.git/.test(req.url ?? '');
        if (!silent) return false;
        if (phase === 'resolving' || req.method === 'POST') return (pending += 1) > 0;
        req.url = req.url?.replace('silent', 'plugins');
        return false;
      };
      const name = `silent-${phase}`;
      await subscribed(host, name, [{ name: 'x', source: inGit(server.urlOf('silent')) }], web);
      const id = `claude.${name}.x`;
      const operation = await startOperation(id);
      await expect.poll(() => pending).toBeGreaterThan(0);
      const params = { id: operation };
      expect(await host.client.call(api.store.operation, { params })).toMatchObject({
        pluginId: id,
        kind: 'install',
        state: 'running',
        phase,
      });
      expect((await processesOf(host.paths.staging)).length > 0).toBe(phase === 'receiving');
      const startedAt = performance.now();
      await host.client.call(api.store.cancelOperation, { params });
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      expect(await host.client.call(api.store.operation, { params })).toMatchObject({
        state: 'cancelled',
      });
      expect(await processesOf(host.paths.staging)).toEqual([]);
      expect(await readdir(host.paths.staging)).toEqual([]);
      expect(await details(id)).toMatchObject({ installed: false });
    },
  );

  it('that never answers does not prevent the host from closing, and no git process is left', async () => {
    let pending = 0;
    server.instead = (req) => req.method === 'POST' && (pending += 1) > 0;
    const closing = await startTestHost();
    onTestFinished(() => closing.close());
    const entry = { name: 'x', source: inGit(server.urlOf('plugins')) };
    await subscribed(closing, 'closing', [entry], web);
    const answer = closing.ask('/api/plugin-market/claude.closing.x/install', { method: 'POST' });
    const settled = answer.then(
      ({ status }) => status,
      () => 0,
    );
    await expect.poll(() => pending).toBeGreaterThan(0);
    const startedAt = performance.now();
    await closing.stop();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect([0, 503]).toContain(await settled);
    expect(await processesOf(closing.paths.staging)).toEqual([]);
    expect(await readdir(closing.paths.staging)).toEqual([]);
    expect(await pluginFolders(closing.paths.plugins)).toEqual([]);
  });
});
