import { join } from 'node:path';
import { interleave, type Sample } from './harness/measure.ts';
import { startServer } from './harness/processes.ts';
import { compare, type Row } from './harness/table.ts';
import {
  addressOf,
  type Ask,
  askHost,
  askRelay,
  startChatHost,
  startModel,
} from './harness/turns.ts';
import { prepareHost } from './harness/two-servers.ts';

const rounds = 9;
const warmUps = 2;
const tokens = 20_000;
const pacedRounds = 11;
const paced = { tokens: 500, paceMs: 2 };

/** Streams a model's answer through the host, a bare relay and a relay of the Vercel AI SDK. */
export async function chatRelay(directory: string): Promise<Row[]> {
  const workDirectory = join(directory, 'work');
  await prepareHost(workDirectory);
  const model = await startModel();
  const relay = (name: string) =>
    startServer([join(import.meta.dirname, 'bare', name), addressOf(model)]);
  const servers = [model];
  try {
    const host = await startChatHost(workDirectory, model);
    servers.push(host);
    const bare = await relay('relay.ts');
    servers.push(bare);
    const peer = await relay('ai-relay.ts');
    servers.push(peer);
    const [ours, other] = [askHost(host), askRelay(bare)];
    return [...(await rates(ours, other, askRelay(peer))), ...(await delays(ours, other))];
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function rates(ours: Ask, bare: Ask, peer: Ask): Promise<Row[]> {
  const rate = (ask: Ask): Sample => {
    return async () => (tokens / (await ask({ tokens, paceMs: 0 })).tookMs) * 1_000;
  };
  const sides = { ours: rate(ours), bare: rate(bare), peer: rate(peer) };
  const samples = await interleave(rounds, sides, warmUps);
  const common = { unit: '/s', ours: samples.ours } as const;
  return [
    compare({
      ...common,
      name: 'answer of 20 000 tokens',
      other: samples.bare,
      against: 'bare',
      target: { least: 0.9 },
    }),
    compare({
      ...common,
      name: '20 000 tokens / AI SDK',
      other: samples.peer,
      against: 'peer',
      target: { least: 3 },
    }),
  ];
}

async function delays(ours: Ask, bare: Ask): Promise<Row[]> {
  const tails = { ours: [] as number[], bare: [] as number[] };
  /** Returns the median of a round and records its p99. */
  const sample = (side: 'ours' | 'bare', ask: Ask): Sample => {
    return async () => {
      const { delaysMs } = await ask(paced);
      const sorted = delaysMs.toSorted((one, two) => one - two);
      tails[side].push(sorted[Math.floor(sorted.length * 0.99)] ?? 0);
      return sorted[Math.floor(sorted.length / 2)] ?? 0;
    };
  };
  const medians = await interleave(
    pacedRounds,
    { ours: sample('ours', ours), bare: sample('bare', bare) },
    warmUps,
  );
  const row = (name: string, sides: Record<'ours' | 'bare', readonly number[]>): Row =>
    compare({
      name: `delay of a token, ${name}`,
      unit: 'ms',
      ours: sides.ours,
      other: sides.bare,
      against: 'bare',
      target: { most: 1.2 },
    });
  const [oursTail, bareTail] = [tails.ours.slice(warmUps), tails.bare.slice(warmUps)];
  return [row('median', medians), row('p99', { ours: oursTail, bare: bareTail })];
}
