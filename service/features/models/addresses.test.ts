import { describe, expect, it } from 'vitest';
import type { AiMode } from '../../contract/index.ts';
import { type RawAnswer, answerHello } from '../../testing/models/raw-model.ts';
import { readAnswer } from '../../testing/models/read-answer.ts';
import { useRawModel } from '../../testing/models/use-raw-model.ts';

const { model, backend } = await useRawModel();

describe('the address of a model server', () => {
  it.each<[AiMode, string, string]>([
    ['local', '', '/api/chat'],
    ['local', '/', '/api/chat'],
    ['local', '/api', '/api/chat'],
    ['local', '/ollama', '/ollama/api/chat'],
    ['local', '/v1', '/v1/chat/completions'],
    ['cloud_a', '', '/v1/chat/completions'],
    ['cloud_a', '/v1/', '/v1/chat/completions'],
    ['cloud_b', '', '/v1/messages'],
    ['cloud_b', '/v1', '/v1/messages'],
    ['cloud_b', '/gateway/v1/messages', '/gateway/v1/messages'],
    ['cloud_c', '', '/v1/chat/completions'],
    ['cloud_c', '/v1', '/v1/chat/completions'],
    ['cloud_c', '/api/v4/', '/api/v4/chat/completions'],
    ['cloud_c', '/x/chat/completions', '/x/chat/completions'],
  ])('%s may be given with "%s"', async (mode, path, asked) => {
    const dialect = asked.endsWith('completions') ? 'cloud_c' : mode;
    model.script(answerHello(dialect));
    const answer = await readAnswer(backend(mode, { baseUrl: model.base + path }), 'Hi');
    expect(answer).toMatchObject({ text: 'Hello' });
    expect(model.requests.map((seen) => seen.path)).toEqual([asked]);
  });

  it('of a compatible server without /v1 is detected once', async () => {
    model.script((res, seen, index) =>
      seen.path.startsWith('/v1/')
        ? res.writeHead(404).end('Not found')
        : answerHello('cloud_c')(res, seen, index),
    );
    const asked = backend('cloud_c');
    expect(await readAnswer(asked, 'Hi')).toMatchObject({ text: 'Hello' });
    expect(await readAnswer(asked, 'Hi')).toMatchObject({ text: 'Hello' });
    expect(model.requests.map(({ path }) => path)).toEqual([
      '/v1/chat/completions',
      '/chat/completions',
      '/chat/completions',
    ]);
  });

  it.each<[string, RawAnswer]>([
    ['a page', (res) => res.writeHead(404, { 'Content-Type': 'text/html' }).end('<p>no</p>')],
    ['an event stream', (res) => res.writeHead(200, { 'Content-Type': 'text/event-stream' }).end()],
    [
      'an error with status 200',
      (res) =>
        res
          .writeHead(200, { 'Content-Type': 'application/json' })
          .end('{"error":"Unexpected endpoint or method. (POST /api/chat)"}'),
    ],
  ])("of a local server that answers Ollama's API with %s leads below /v1", async (_, refuse) => {
    model.script((res, seen, index) =>
      (seen.path.startsWith('/api/') ? refuse : answerHello('cloud_c'))(res, seen, index),
    );
    expect(await readAnswer(backend('local'), 'Hi')).toMatchObject({ text: 'Hello' });
    expect(model.requests.map(({ path }) => path)).toEqual(['/api/chat', '/v1/chat/completions']);
  });

  it('of a local server that has neither API is an error, and is tried again next time', async () => {
    const nothing: RawAnswer = (res) => res.writeHead(404).end();
    model.script(nothing);
    const asked = backend('local');
    expect(await readAnswer(asked, 'Hi')).toMatchObject({ error: { code: 'model_wrong_address' } });
    model.script(answerHello('local'));
    expect(await readAnswer(asked, 'Hi')).toMatchObject({ text: 'Hello' });
  });
});
