import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buildLiteDeb } from '../scripts/packages/lite-deb.ts';
import { runTool } from '../scripts/packages/run-tool.ts';
import { interleave, milliseconds } from './harness/measure.ts';
import { peer } from './harness/peers.ts';
import { type Server, startNode, startServer, stop } from './harness/processes.ts';
import { compare, notMeasured, type Row } from './harness/table.ts';
import {
  healthPath,
  prepareHost,
  prepareTwoServers,
  startHost,
  token,
} from './harness/two-servers.ts';
import { firstAnswer } from './harness/wire.ts';

const rounds = 15;
const peerRounds = 3;

/** Time from the start of the process to the first 200. */
export async function startup(directory: string): Promise<Row[]> {
  const servers = await prepareTwoServers(directory);
  const ours = (): Promise<number> => untilAnswer(servers.ours, healthPath);
  const bare = (): Promise<number> => untilAnswer(servers.bare, healthPath);
  const pairs = await interleave(rounds, { ours, bare });
  const rows = [
    compare({
      name: 'start-up',
      unit: 'ms',
      ours: pairs.ours,
      other: pairs.bare,
      against: 'bare',
      target: { most: 1.3 },
    }),
  ];
  return [...rows, await installed(directory), await againstNodeRed(directory, ours)];
}

/** The installed lite package, against the built program. */
async function installed(directory: string): Promise<Row> {
  const name = 'start-up / lite package';
  const target = { most: 1.2 };
  const tree = join(directory, 'installed');
  try {
    const { file } = buildLiteDeb({ output: join(directory, 'lite'), level: 1 });
    runTool('dpkg-deb', ['--extract', file, tree]);
  } catch {
    return notMeasured(name, target, 'no package can be made here');
  }
  const workDirectory = join(directory, 'installed-work');
  await prepareHost(workDirectory);
  const flags = ['--headless', '--port=0', `--work-dir=${workDirectory}`];
  const environment = { HOST_AUTH_TOKEN: token, XDG_CACHE_HOME: join(directory, 'cache') };
  const launcher = join(tree, 'usr', 'bin', 'plugin-host');
  const start = (): Promise<Server> => startServer(flags, environment, launcher);
  const ours = (): Promise<number> => untilAnswer(start, healthPath);
  const built = (): Promise<number> => untilAnswer(() => startHost(workDirectory), healthPath);
  // The first start of each fills its compile cache.
  await ours();
  await built();
  const pairs = await interleave(rounds, { ours, built });
  return compare({
    name,
    unit: 'ms',
    ours: pairs.ours,
    other: pairs.built,
    against: 'bare',
    target,
  });
}

async function againstNodeRed(directory: string, ours: () => Promise<number>): Promise<Row> {
  const name = 'start-up / Node-RED';
  const target = { most: 0.5 };
  const nodeRed = await peer('node-red');
  if (nodeRed === null) return notMeasured(name, target, 'Node-RED cannot be installed here');
  const userDirectory = join(directory, 'node-red');
  const start = (): Promise<Server> => startNodeRed(nodeRed, userDirectory);
  const theirs = (): Promise<number> => untilAnswer(start, '/');
  const pairs = await interleave(peerRounds, { ours, theirs });
  return compare({
    name,
    unit: 'ms',
    ours: pairs.ours,
    other: pairs.theirs,
    against: 'peer',
    target,
  });
}

async function untilAnswer(start: () => Promise<Server>, path: string): Promise<number> {
  let server: Server | undefined;
  try {
    return await milliseconds(async () => {
      server = await start();
      await firstAnswer(server.port, path);
    });
  } finally {
    await server?.stop();
  }
}

/** Node-RED does not report a port that the system chose, so it gets a free one. */
async function startNodeRed(folder: string, userDirectory: string): Promise<Server> {
  const port = await freePort();
  const settings = ['uiHost=127.0.0.1', 'telemetry.enabled=false'].flatMap((one) => ['-D', one]);
  const args = [join(folder, 'red.js'), '-p', String(port), '-u', userDirectory, ...settings];
  const child = startNode(args, { stdio: 'ignore' });
  return { pid: child.pid ?? 0, port, stop: () => stop(child) };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
