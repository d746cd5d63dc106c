import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { afterEach, describe, expect, it } from 'vitest';
import { api, type Endpoint } from '../../service/contract/index.ts';
import { type BuiltHost, createHosts } from '../built-host.ts';
import { type Command, commandsOf, docPages, requestsOf, root } from './pages.ts';
import { runInShell, variablesOf, withPort } from './run-in-shell.ts';

const pages = docPages();
const hosts = createHosts();
afterEach(hosts.cleanUp);

const blocks = pages.flatMap((page) => page.blocks);
const commands = blocks
  .filter(({ language, notRun }) => language === 'sh' && notRun === null)
  .flatMap(commandsOf);

/** Commands that this file does not run, and the test that does. */
const runElsewhere: readonly [RegExp, string][] = [
  [/^npm (start|test)$/, 'scripts/install.test.ts and every run of the tests'],
  [/^npx vitest run e2e\/security-table\.test\.ts$/, 'every run of the tests'],
  [/^npm run (check|notices)$/, 'every push, see .ci/run, which compares the notices'],
  [/^npm run (package|bench|bench:ui) --/, 'takes minutes; *.packages.test.ts make each package'],
  [/^npm run (bench|bench:ui)$/, 'takes many minutes'],
  [/^node bench\/run\.ts /, 'takes minutes'],
  [/^UPDATE_SIGNING_KEY=.* npm run package -- lite$/, 'lite-update.packages.test.ts'],
  [/^sudo apt install |^plugin-host$|^systemctl --user /, 'lite.packages.test.ts'],
  [/^plugin-host --headless --web --setup=SQLITE$/, 'lite.packages.test.ts, with a port'],
  [/^plugin-host --stop$/, 'stop.test.ts'],
  [/^plugin-host .*--host\.allowed-hosts=/, 'service/http/allowed-hosts.test.ts'],
  [/^plugin-host .*--host\.cluster=true/, 'service/app/cluster.servers.test.ts'],
  [/^ssh -L /, 'tunnel.ssh.test.ts'],
  [/^loginctl enable-linger /, 'needs a session of systemd'],
  [/^node plugin-kit\/pack-all\.ts /, 'plugin-guide.java.test.ts'],
  [/^java -cp h2\.jar /, 'databases.h2.test.ts'],
  [/^npm install --global |^plugin-host-plugin (init|test|pack) /, 'kit-guide.sandbox.test.ts'],
  [/^plugin-host-plugin dev /, 'plugin-dev.sandbox.test.ts'],
  [/^sed .* apparmor-profile /, 'electron.packages.test.ts'],
  [/^sudo apparmor_parser /, 'needs AppArmor, and changes the machine'],
];

const npmsOwn: readonly string[] = ['ci', 'exec', 'install'];

const isCurl = ({ line }: Command): boolean => line.startsWith('curl ');
const isStart = ({ line }: Command): boolean =>
  /^node \. --headless /.test(line) || /^plugin-host --work-dir=/.test(line);
const isPlain = ({ line }: Command): boolean => line.startsWith('openssl ');

const startHost = (): Promise<BuiltHost> => hosts.start({ args: ['--port=0', '--setup=SQLITE'] });

describe('the commands in the documents', () => {
  it('are run by a test, each of them', () => {
    const unknown = commands.filter(
      (command) =>
        !isCurl(command) &&
        !isStart(command) &&
        !isPlain(command) &&
        !runElsewhere.some(([pattern]) => pattern.test(command.line)),
    );
    expect(unknown).toEqual([]);
    expect(commands.length).toBeGreaterThan(10);
  });

  it('name only tasks that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = pages.flatMap(({ file, text }) =>
      [...text.matchAll(/(?:^|`)npm (?:run )?([a-z]+(?::[a-z]+)?)(?=[ `]|$)/gm)].map(
        ([, task = '']) => ({ file, task }),
      ),
    );
    expect(named.filter(({ task }) => !(task in scripts) && !npmsOwn.includes(task))).toEqual([]);
    expect(named.length).toBeGreaterThan(10);
  });

  it('start a host, also from a backup that was made by a command before', async () => {
    const folder = await hosts.makeFolder();
    const first = await startHost();
    const backUp = commands.find(({ line }) => line.includes('/api/settings/backup'));
    const made = await runInShell(withPort(backUp?.line ?? ''), folder, await variablesOf(first));
    expect(made).toMatchObject({ code: 0 });
    const listed = await runInShell('ls -1', folder);
    const starts = commands.filter(isStart);
    for (const { line } of starts) {
      const backup = line.includes('plugin-host-backup') ? join(folder, listed.output.trim()) : '';
      const args = line
        .replace('/path/to/plugin-host-backup.zip', backup)
        .replace(/\/path\/to\/\w+/, await hosts.makeFolder())
        .split(' ')
        .filter((word) => word.startsWith('--') && word !== '--headless');
      const host = await hosts.start({ args: [...args, '--port=0'] });
      const health = await fetch(`${await host.baseUrl()}/api/health`);
      expect([line, health.status]).toEqual([line, 200]);
      expect((await host.stop()).code).toBe(0);
    }
    expect(starts.length).toBeGreaterThan(2);
  });

  it('make what they say without a host, those of a block one after the other', async () => {
    const plain = blocks.filter(
      ({ language, text }) => language === 'sh' && /^openssl /m.test(text),
    );
    for (const block of plain) {
      const folder = await hosts.makeFolder();
      for (const { line } of commandsOf(block).filter(isPlain))
        expect(await runInShell(line, folder), line).toMatchObject({ code: 0 });
    }
    expect(plain.length).toBeGreaterThan(0);
  });
});

const endpoints = Object.values(api).flatMap((group) => Object.values<Endpoint>(group));
const shape = (path: string): string => path.replaceAll(/\{[^}]*\}|:\w+|\*\w*/g, '{}');

function endpointOf(method: string, path: string): Endpoint | undefined {
  return endpoints.find((endpoint) => {
    if (endpoint.method !== method) return false;
    return path.startsWith('…')
      ? shape(endpoint.path).endsWith(shape(path.slice(1)))
      : shape(endpoint.path) === shape(path);
  });
}

const asksModelServer = (path: string): boolean => path === '/api/ai/models';

describe('the requests in the documents', () => {
  const mentions = pages.flatMap(requestsOf);

  it('are those of the contract, with the parameters it has', () => {
    const wrong = mentions.filter(({ method, path, query }) => {
      const endpoint = endpointOf(method, path);
      if (!endpoint) return true;
      const queryNames =
        endpoint.query instanceof z.ZodObject ? Object.keys(endpoint.query.shape) : [];
      return query.some((name) => !queryNames.includes(name));
    });
    expect(wrong).toEqual([]);
    expect(mentions.length).toBeGreaterThan(30);
  });

  it('are answered by a running host where they need nothing but the token', async () => {
    const host = await startHost();
    const [base, token] = [await host.baseUrl(), await host.value('HOST_TOKEN')];
    const client = await host.client();
    await client.call(api.settings.put, { body: { developerMode: true } });
    const asked = new Set(
      mentions.flatMap(({ method, path }) => {
        const endpoint = endpointOf(method, path);
        const isPlainRead = method === 'GET' && endpoint?.access.kind === 'token';
        return isPlainRead && !/[{…]/.test(path) && !asksModelServer(path) ? path : [];
      }),
    );
    for (const path of asked) {
      const answer = await fetch(`${base}${path}`, { headers: { 'X-Host-Token': token } });
      expect([path, answer.status]).toEqual([path, 200]);
      await answer.body?.cancel();
    }
    expect(asked.size).toBeGreaterThan(8);
  });
});

describe('the links in the documents', () => {
  it('lead to files and headings that are there', () => {
    const broken = pages.flatMap(({ file, text }) =>
      [...text.matchAll(/(?:\]\(|<img src=")(?!https?:)([^)"\s]+)[)"]/g)].flatMap(
        ([, target = '']) => {
          const [path = '', heading = ''] = target.split('#');
          const found = path === '' ? join(root, file) : join(root, dirname(file), path);
          if (!existsSync(found)) return `${file}: ${target}`;
          if (heading === '') return [];
          return headingsOf(readFileSync(found, 'utf8')).includes(heading)
            ? []
            : `${file}: ${target}`;
        },
      ),
    );
    expect(broken).toEqual([]);
  });
});

/** Returns anchors as GitHub makes them: lower case, without punctuation, spaces as hyphens. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
