import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '../service/client/index.ts';
import { api, type ChatMessage } from '../service/contract/index.ts';
import { interleave, milliseconds, type Sample } from './harness/measure.ts';
import { type Server, startServer } from './harness/processes.ts';
import { compare, type Row } from './harness/table.ts';
import { healthPath, prepareHost, startHost, token } from './harness/two-servers.ts';
import { firstAnswer, requestOf, Wire } from './harness/wire.ts';

const rounds = 40;
const warmUps = 10;
const messageCount = 10_000;
const query = { limit: '50' };

/** The last page of a conversation of 10 000 messages, against a route that sends the same JSON. */
export async function conversation(directory: string): Promise<Row[]> {
  const workDirectory = join(directory, 'work');
  await prepareHost(workDirectory);
  const host = await startHost(workDirectory);
  const { show } = api.conversations;
  let bare: Server | undefined;
  try {
    await firstAnswer(host.port, healthPath);
    const client = createClient({ baseUrl: `http://127.0.0.1:${host.port}`, token: () => token });
    const body = { title: 'Long', messages: messagesOf(messageCount) };
    const { id } = await client.call(api.conversations.create, { body });
    const path = show.path.replace('{id}', id);
    const answer = join(directory, 'answer.json');
    await writeFile(answer, JSON.stringify(await client.call(show, { params: { id }, query })));
    bare = await startServer([
      join(import.meta.dirname, 'bare', 'json-server.ts'),
      path,
      `@${answer}`,
    ]);
    const sides = {
      ours: await opening(host, `${path}?limit=${query.limit}`),
      bare: await opening(bare, path),
    };
    const pairs = await interleave(rounds, sides, warmUps);
    return [
      compare({
        name: 'page of 10 000 messages',
        unit: 'ms',
        ours: pairs.ours,
        other: pairs.bare,
        against: 'bare',
        target: { mostMs: 100 },
      }),
    ];
  } finally {
    await Promise.all([host.stop(), bare?.stop()]);
  }
}

async function opening({ port }: Server, path: string): Promise<Sample> {
  const wire = await Wire.open(port);
  const request = requestOf(port, `GET ${path}`, token);
  return () => milliseconds(() => wire.ask(request));
}

/** Pairs of a question and an answer that called a tool. */
function messagesOf(count: number): ChatMessage[] {
  const text = 'The report has twelve pages, and the figures of March are on the third. '.repeat(
    12,
  );
  const call = { id: 'c1', name: 'read_file', arguments: '{"path":"report.md"}' };
  const parts: ChatMessage['parts'] = [
    { type: 'thinking', text: text.slice(0, 300) },
    { type: 'tool', ...call, success: true, output: text },
    { type: 'text', text },
  ];
  return Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? { role: 'user', content: `Question ${index}: what do the figures say?` }
      : { role: 'assistant', content: text, parts },
  );
}
