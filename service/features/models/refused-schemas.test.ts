import { describe, expect, it } from 'vitest';
import { AiMode } from '../../contract/index.ts';
import { answerHello } from '../../testing/models/raw-model.ts';
import { readAnswer, userMessage } from '../../testing/models/read-answer.ts';
import { useRawModel } from '../../testing/models/use-raw-model.ts';

const { model, backend } = await useRawModel();

const isOdd = (body: unknown): boolean => JSON.stringify(body).includes('"format"');
const sentOdd = (): boolean[] => model.requests.map(({ body }) => isOdd(body));
const inputSchema = { type: 'object', properties: { at: { type: 'string', format: 'uri' } } };
const request = {
  messages: [userMessage('Hi')],
  tools: [{ name: 'x', description: 'd', inputSchema }],
};

/** Refuses every request, or only those with unusual schemas. */
function refuses(mode: AiMode, what: 'all' | 'odd', { status, message }: typeof refusal): void {
  model.script((res, seen, index) => {
    if (what === 'odd' && !isOdd(seen.body)) return answerHello(mode)(res, seen, index);
    res.writeHead(status, { 'Content-Type': 'application/json' });
    return res.end(JSON.stringify({ error: { message, type: 'invalid_request_error' } }));
  });
}
const refusal = { status: 400, message: 'The request does not match the schema.' };

describe.each(AiMode.options)('a schema that %s refuses', (mode) => {
  it.each([
    [400, "Invalid schema for function 'x': In context=(), 'format' is not supported."],
    [400, 'tools.0.custom.input_schema: JSON schema is invalid. It must match draft 2020-12'],
    [400, `Invalid JSON payload received. Unknown name "$schema" at 'tools[0].function'`],
    [500, 'JSON schema conversion failed:\nUnrecognized schema: {"format":"uri"}'],
    [400, 'json: cannot unmarshal array into ToolFunction.tools.function.parameters.type'],
    [422, 'failed to parse grammar'],
    [400, 'tool parameters: format is not supported'],
  ])('(%i, %j) is sent in plain form from then on', async (status, message) => {
    refuses(mode, 'odd', { status, message });
    const asked = backend(mode);
    expect(await readAnswer(asked, request)).toMatchObject({ text: 'Hello', error: undefined });
    expect(sentOdd()).toEqual([true, false]);
    expect(await readAnswer(asked, request)).toMatchObject({ text: 'Hello', error: undefined });
    expect(sentOdd()).toEqual([true, false, false]);
    const sent = JSON.stringify(model.requests[2]!.body);
    expect(sent).toContain('"properties":{"at":{"type":"string"}}');
  });

  it('also in plain form is sent unchanged the next time', async () => {
    refuses(mode, 'all', refusal);
    const asked = backend(mode);
    expect(await readAnswer(asked, request)).toMatchObject({ error: { code: 'model_refused' } });
    expect(sentOdd()).toEqual([true, false]);
    model.script(answerHello(mode));
    await readAnswer(asked, request);
    expect(sentOdd()).toEqual([true]);
  });

  it.each([
    [400, 'Unsupported parameter: temperature'],
    [401, 'No schema for you'],
    [400, 'The conversation is malformed'],
  ])('is not assumed to be the cause of (%i) %j', async (status, message) => {
    refuses(mode, 'all', { status, message });
    expect((await readAnswer(backend(mode), request)).error).toBeDefined();
    expect(sentOdd()).not.toContain(false);
  });
});
