import type { ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { WorkerChannel } from '../service/features/plugins/workers/worker-channel.ts';
import { linePipe } from './bare/line-pipe.ts';
import { interleave, perSecond, type Sample } from './harness/measure.ts';
import { peer } from './harness/peers.ts';
import { startNode, stop } from './harness/processes.ts';
import { compare, notMeasured, type Row } from './harness/table.ts';

const rounds = 9;
const timeoutMs = 60_000;
const small = { text: 'How many words are in this sentence?', limit: 10 };
const large = { text: 'x'.repeat(1024 * 1024) };

/** A call; `done` receives the result. */
type Call = (params: unknown, done: () => void) => void;

interface Load {
  params: unknown;
  calls: number;
  inFlight: number;
}
const oneAtATime: Load = { params: small, calls: 2_000, inFlight: 1 };
const many: Load = { params: small, calls: 10_000, inFlight: 64 };
const manyForPeer: Load = { ...many, calls: 3_000 };
const big: Load = { params: large, calls: 15, inFlight: 1 };

/** The worker channel alone, over the pipes of a child process that echoes. */
export async function channel(): Promise<Row[]> {
  const children = [startEcho(), startEcho()] as const;
  try {
    const ours = channelCall(children[0]);
    const bare = linePipe(children[1]);
    const against = 'bare';
    const rows: Row[] = [];
    const pair = async (name: string, load: Load, least: number): Promise<void> => {
      const pairs = await interleave(rounds, { ours: drive(ours, load), bare: drive(bare, load) });
      const target = { least };
      rows.push(
        compare({ name, unit: '/s', ours: pairs.ours, other: pairs.bare, against, target }),
      );
    };
    await pair('worker call, one at a time', oneAtATime, 0.8);
    await pair('worker call, 64 in flight', many, 0.65);
    rows.push(await againstPeer(ours));
    const pairs = await interleave(rounds, {
      ours: millisecondsEach(ours, big),
      bare: millisecondsEach(bare, big),
    });
    const target = { most: 1.3 };
    const name = 'worker call of 1 MiB';
    rows.push(compare({ name, unit: 'ms', ours: pairs.ours, other: pairs.bare, against, target }));
    return rows;
  } finally {
    await Promise.all(children.map(stop));
  }
}

async function againstPeer(ours: Call): Promise<Row> {
  const name = '64 in flight / vscode-jsonrpc';
  const target = { least: 3 };
  const folder = await peer('vscode-jsonrpc');
  if (folder === null) return notMeasured(name, target, 'vscode-jsonrpc cannot be installed here');
  const worker = join(import.meta.dirname, 'bare', 'jsonrpc-worker.mjs');
  const child = startNode([worker, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const pairs = await interleave(rounds, {
      ours: drive(ours, manyForPeer),
      theirs: drive(jsonrpcCall(folder, child), manyForPeer),
    });
    return compare({
      name,
      unit: '/s',
      ours: pairs.ours,
      other: pairs.theirs,
      against: 'peer',
      target,
    });
  } finally {
    await stop(child);
  }
}

function startEcho(): ChildProcess {
  const worker = join(import.meta.dirname, 'bare', 'echo-worker.mjs');
  return startNode([worker], { stdio: ['pipe', 'pipe', 'inherit'] });
}

function channelCall(child: ChildProcess): Call {
  const nothing = (): void => undefined;
  const opened = new WorkerChannel({
    onAlive: nothing,
    onNotification: nothing,
    onNoise: nothing,
    onTimeout: nothing,
    onLineTooLong: nothing,
    onEnd: nothing,
  });
  opened.open(child.stdin as Writable, child.stdout as Readable);
  let lastCall = 0;
  return (params, done) => {
    lastCall += 1;
    void opened.request('echo', params, { timeoutMs, callId: `call-${lastCall}` }).then(done);
  };
}

interface Connection {
  listen(): void;
  sendRequest(method: string, params: unknown): Promise<unknown>;
}

interface JsonrpcModule {
  StreamMessageReader: new (stream: Readable) => unknown;
  StreamMessageWriter: new (stream: Writable) => unknown;
  createMessageConnection(reader: unknown, writer: unknown): Connection;
}

function jsonrpcCall(folder: string, child: ChildProcess): Call {
  const rpc = createRequire(`${folder}/`)('vscode-jsonrpc/node') as JsonrpcModule;
  const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(child.stdout as Readable),
    new rpc.StreamMessageWriter(child.stdin as Writable),
  );
  connection.listen();
  return (params, done) => void connection.sendRequest('echo', params).then(done);
}

/** Calls per second with a fixed number of calls in flight. */
function drive(call: Call, load: Load): Sample {
  return () => perSecond(load.calls, () => runLoad(call, load));
}

function millisecondsEach(call: Call, load: Load): Sample {
  return async () => 1_000 / (await perSecond(load.calls, () => runLoad(call, load)));
}

function runLoad(call: Call, { params, calls, inFlight }: Load): Promise<void> {
  return new Promise((resolve) => {
    let started = 0;
    let ended = 0;
    const next = (): void => {
      started += 1;
      call(params, () => {
        ended += 1;
        if (ended === calls) resolve();
        else if (started < calls) next();
      });
    };
    for (let index = 0; index < inFlight; index += 1) next();
  });
}
