import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Client, createClient } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import { makeRepository } from '../service/testing/store/git-repository.ts';
import { sampleCatalogs } from '../service/testing/store/sample-catalogs.ts';
import { interleave, milliseconds } from './harness/measure.ts';
import { type Server, startServer } from './harness/processes.ts';
import { compare, type Row } from './harness/table.ts';
import { healthPath, prepareHost, startHost, token } from './harness/two-servers.ts';
import { firstAnswer, requestOf, Wire } from './harness/wire.ts';

const run = promisify(execFile);
const large = 'example-directory';
const others = ['acme-tools', 'example-skills', 'example-agents', 'example-workflows'];

/** The store: catalogs read, merged and served; a plugin installed from git. */
export async function store(directory: string): Promise<Row[]> {
  const workDirectory = join(directory, 'work');
  await prepareHost(workDirectory);
  const host = await startHost(workDirectory);
  try {
    await firstAnswer(host.port, healthPath);
    const client = createClient({ baseUrl: `http://127.0.0.1:${host.port}`, token: () => token });
    return [
      await catalogues(client),
      await grid(client, host, directory),
      await gitInstall(client, directory),
    ];
  } finally {
    await host.stop();
  }
}

/** CPU time of the host for a changed catalog that is merged with four others and served. */
async function catalogues(client: Client): Promise<Row> {
  const texts = new Map<string, string>();
  for (const name of [large, ...others])
    texts.set(name, JSON.stringify(sampleCatalogs[name], null, 2));
  let version = 0;
  const server = createServer((req, res) => {
    version += 1;
    const text = texts.get((req.url ?? '').slice(1, -'.json'.length)) ?? '';
    res.writeHead(200, { ETag: `"${version}"` }).end(text + ' '.repeat(version % 9));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ids: string[] = [];
  for (const name of texts.keys()) {
    const url = `http://127.0.0.1:${port}/${name}.json`;
    ids.push((await client.call(api.store.addSource, { body: { url } })).id);
  }
  const pairs = await interleave(
    15,
    {
      ours: () =>
        hostTime(client, async () => {
          await client.call(api.store.refreshSource, { params: { id: ids[0] ?? '' } });
          await client.call(api.market.list);
        }),
      bare: () => Promise.resolve(bareTime([...texts.values()])),
    },
    5,
  );
  for (const id of ids) await client.call(api.store.removeSource, { params: { id } });
  server.closeAllConnections();
  server.close();
  const sides = { ours: pairs.ours, other: pairs.bare, against: 'bare' as const };
  return compare({
    name: 'catalog read and shown',
    unit: 'ms',
    ...sides,
    target: { addedMs: 45 },
  });
}

async function hostTime(client: Client, work: () => Promise<unknown>): Promise<number> {
  const now = async (): Promise<number> => {
    const params = { name: 'process.cpu.time' };
    const { measurements } = await client.call(api.host.metric, { params, query: {} });
    return (measurements[0]?.value ?? 0) * 1_000;
  };
  const before = await now();
  await work();
  return (await now()) - before;
}

function bareTime(texts: readonly string[]): number {
  const before = process.cpuUsage();
  JSON.stringify(texts.map((text): unknown => JSON.parse(text)));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The grid with 1 000 entries, against a route that sends the same JSON. */
async function grid(client: Client, host: Server, directory: string): Promise<Row> {
  const { plugins = [] } = sampleCatalogs[large] ?? {};
  const entries = Array.from({ length: 1_000 }, (_, index) => ({
    ...plugins[index % plugins.length],
    name: `plugin-${index}`,
  }));
  const file = join(directory, 'thousand.json');
  await writeFile(
    file,
    JSON.stringify({ name: 'thousand', owner: { name: 'x' }, plugins: entries }),
  );
  const body = { url: pathToFileURL(file).href };
  const { id } = await client.call(api.store.addSource, { body });
  const { path } = api.market.list;
  const answer = join(directory, 'answer.json');
  await writeFile(answer, JSON.stringify(await client.call(api.market.list)));
  const program = join(import.meta.dirname, 'bare', 'json-server.ts');
  const bare = await startServer([program, path, `@${answer}`]);
  const wires = await Promise.all([host, bare].map(({ port }) => Wire.open(port)));
  const [ours, other] = [host, bare].map(({ port }, side) => {
    const request = requestOf(port, `GET ${path}`, token);
    return () => milliseconds(() => (wires[side] as Wire).ask(request));
  }) as [() => Promise<number>, () => Promise<number>];
  const pairs = await interleave(60, { ours, bare: other }, 10);
  for (const wire of wires) wire.close();
  await bare.stop();
  await client.call(api.store.removeSource, { params: { id } });
  const sides = { ours: pairs.ours, other: pairs.bare, against: 'bare' as const };
  return compare({ name: 'grid of 1 000 entries', unit: 'ms', ...sides, target: { most: 3 } });
}

/** Installs a plugin of 1 000 files, against `git clone --depth 1` of its repository. */
async function gitInstall(client: Client, directory: string): Promise<Row> {
  const text = 'A line of some length that says little.\n'.repeat(60);
  const files = Array.from({ length: 1_000 }, (_, n) => [
    `docs/d${n % 40}/f${n}.md`,
    `${n}\n${text}`,
  ]);
  const repository = await makeRepository(Object.fromEntries(files) as Record<string, string>);
  const file = join(directory, 'git.json');
  const entry = { name: 'large', source: { source: 'url', url: repository.url } };
  await writeFile(file, JSON.stringify({ name: 'git', owner: { name: 'x' }, plugins: [entry] }));
  const body = { url: pathToFileURL(file).href };
  const source = await client.call(api.store.addSource, { body });
  const params = { id: `claude.${source.id}.large` };
  const clone = join(directory, 'clone');
  const pairs = await interleave(12, {
    ours: async () => {
      const took = await milliseconds(() => client.call(api.market.install, { params }));
      await client.call(api.market.uninstall, { params, query: { deleteData: 'true' } });
      return took;
    },
    bare: async () => {
      const args = ['clone', '--quiet', '--depth=1', '--', repository.url, clone];
      const took = await milliseconds(() => run('git', args));
      await rm(clone, { recursive: true });
      return took;
    },
  });
  await repository.close();
  const sides = { ours: pairs.ours, other: pairs.bare, against: 'bare' as const };
  return compare({ name: 'plugin from git', unit: 'ms', ...sides, target: { most: 1.5 } });
}
