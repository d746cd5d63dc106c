import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { AiMode } from '../../contract/index.ts';
import { ndjson, sseData } from '../../testing/models/raw-model.ts';
import { readAnswer } from '../../testing/models/read-answer.ts';
import { useRawModel } from '../../testing/models/use-raw-model.ts';
import { ownStreams, streamSets } from '../../testing/models/streams/stream-sets.ts';

/** Ways to split the bytes on the wire. */
const cuts: [string, (body: Buffer) => Buffer[]][] = [
  ['in one piece', (body) => [body]],
  [
    'in pieces that break characters and lines',
    (body) =>
      Array.from({ length: Math.ceil(body.length / 101) }, (_, i) =>
        body.subarray(i * 101, (i + 1) * 101),
      ),
  ],
];

const { model, backend } = await useRawModel();

/** The bytes of an answer as the server of a mode sends them. */
function bodyOf(mode: AiMode, chunks: object[]): string {
  if (mode === 'local') return chunks.map(ndjson).join('');
  const named = (chunk: object): string => {
    const { type } = chunk as { type?: string };
    return mode === 'cloud_b' ? `event: ${type}\n${sseData(chunk)}` : sseData(chunk);
  };
  return chunks.map(named).join('') + (mode === 'cloud_b' ? '' : 'data: [DONE]\n\n');
}

async function sendPieces(res: ServerResponse, pieces: Buffer[]): Promise<void> {
  for (const piece of pieces)
    if (!res.write(piece)) await new Promise((resolve) => res.once('drain', resolve));
  res.end();
}

describe.each(streamSets())('$name', ({ streams }) => {
  const cases = streams.flatMap(({ modes, ...stream }) =>
    modes.map((mode) => ({ ...stream, mode })),
  );
  describe.each(cuts)('that come %s', (_, cut) => {
    it.each(cases)(
      'are read completely: $name through $mode',
      async ({ mode, chunks, expected }) => {
        const body = Buffer.from(bodyOf(mode, chunks));
        const contentType = mode === 'local' ? 'application/x-ndjson' : 'text/event-stream';
        model.script((res) => {
          res.writeHead(200, { 'Content-Type': `${contentType}; charset=utf-8` });
          void sendPieces(res, cut(body));
        });
        // Ollama's own API has an address without a path.
        const baseUrl = mode === 'local' ? model.base : `${model.base}/v1`;
        const answer = await readAnswer(backend(mode, { baseUrl }), 'Hi');
        expect(answer.error).toBeUndefined();
        expect(answer.text).toBe(expected.text);
        expect(answer.thinking).toBe(expected.thinking);
        expect(
          answer.calls.map((call) => [call.name, JSON.parse(call.arguments) as unknown]),
        ).toEqual(expected.calls);
        expect(new Set(answer.calls.map(({ id }) => id)).size).toBe(answer.calls.length);
        if (expected.usage === null) expect(answer.usage).toBeUndefined();
        else expect(answer.usage).toMatchObject({ type: 'usage', ...expected.usage });
        expect(answer.events.filter(({ type }) => type === 'end')).toHaveLength(1);
        expect(answer.events.at(-1)).toMatchObject({ type: 'end', reason: expected.reason });
      },
    );
  });

  it('cover thinking, calls and refusals', () => {
    expect(streams.length).toBeGreaterThanOrEqual(30);
    const expected = streams.map((stream) => stream.expected);
    expect(expected.filter(({ thinking }) => thinking !== '').length).toBeGreaterThanOrEqual(8);
    expect(expected.filter(({ calls }) => calls.length > 0).length).toBeGreaterThanOrEqual(7);
    expect(expected.filter(({ reason }) => reason === 'refusal').length).toBeGreaterThan(0);
  });
});

it('the streams of the project cover every backend', () => {
  expect([...new Set(ownStreams.flatMap(({ modes }) => modes))].sort()).toEqual([
    ...['cloud_a', 'cloud_b', 'cloud_c', 'local'],
  ]);
});
