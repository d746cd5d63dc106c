import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../service/contract/index.ts';
import {
  type RawModel,
  answerHello,
  startRawModel,
} from '../../service/testing/models/raw-model.ts';
import { type BuiltHost, createHosts } from '../built-host.ts';
import { Answers } from './answers.ts';
import { type Block, commandsOf, docPages } from './pages.ts';
import { runInShell, variablesOf, withPort } from './run-in-shell.ts';

const hosts = createHosts();
let host: BuiltHost;
let model: RawModel;
let folder: string;

beforeAll(async () => {
  model = await startRawModel();
  const hello = answerHello('cloud_c');
  model.script((res, seen, index) => {
    if (seen.method === 'POST') return hello(res, seen, index);
    res.writeHead(200, { 'Content-Type': 'application/json' });
    return res.end(JSON.stringify({ data: [{ id: 'test-model' }] }));
  });
  host = await hosts.start({ args: ['--port=0', '--setup=SQLITE'] });
  folder = await hosts.makeFolder();
});
afterAll(async () => {
  await hosts.cleanUp();
  await model.close();
});

/** A page may choose a model; each page starts with the one of the test. */
async function resetModel(): Promise<void> {
  const client = await host.client();
  const cloud = { apiKey: 'a-key', model: 'test-model', baseUrl: model.base };
  await client.call(api.aiConfig.put, { body: { activeMode: 'cloud_c', cloud_c: cloud } });
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

async function runCurls(block: Block, answers: Answers): Promise<number> {
  const curls = commandsOf(block).filter(({ line }) => line.startsWith('curl '));
  for (const { location, line } of curls) {
    const { code, output } = await runInShell(withPort(line), folder, await variablesOf(host));
    expect(`${location}: ${code} ${code === 0 ? '' : output}`).toBe(`${location}: 0 `);
    answers.keep(/\$PORT(\/[^"\s]*)/.exec(line)?.[1] ?? '', parsed(output));
  }
  return curls.length;
}

/** The pages omit the host, the token and the content type. */
async function send({ location, text }: Block, answers: Answers): Promise<void> {
  const [first = '', ...rest] = text.split('\n');
  const [method = '', target = ''] = first.split(' ');
  const path = answers.fill(target);
  const body = answers.fill(rest.join('\n')).trim();
  const headers = {
    'X-Host-Token': await host.value('HOST_TOKEN'),
    ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
  };
  const reply = await fetch(`${await host.baseUrl()}${path}`, {
    method,
    headers,
    ...(body === '' ? {} : { body }),
    signal: AbortSignal.timeout(60_000),
  });
  const answer = await reply.text();
  expect(`${location}: ${reply.ok ? 'ok' : `${reply.status} ${answer}`}`).toBe(`${location}: ok`);
  answers.keep(path, parsed(answer));
}

const pages = docPages().filter(({ blocks }) =>
  blocks.some(({ language, text }) => language === 'http' || /^(\$ )?curl /m.test(text)),
);

describe('the requests in the blocks of a page', () => {
  it.each(pages)('are answered one after the other: $file', async ({ blocks }) => {
    await resetModel();
    const answers = new Answers();
    let count = 0;
    for (const block of blocks) {
      if (block.notRun !== null) continue;
      if (block.language === 'sh') count += await runCurls(block, answers);
      if (block.language !== 'http') continue;
      await send(block, answers);
      count += 1;
    }
    expect(count).toBeGreaterThan(0);
  });

  it('are on most pages', () => {
    expect(pages.length).toBeGreaterThan(12);
  });
});
