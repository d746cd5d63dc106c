import { describe, expect, it } from 'vitest';
import { AiMode } from '../../contract/index.ts';
import { dialects } from '../../testing/models/raw-model.ts';
import { readAnswer } from '../../testing/models/read-answer.ts';
import { useRawModel } from '../../testing/models/use-raw-model.ts';
import type { ModelLimits } from './wire/model-limits.ts';

const { model, backend } = await useRawModel();
const ask = (mode: AiMode, limits: Partial<ModelLimits>) =>
  readAnswer(backend(mode, {}, limits), 'Hi');

describe('an endless answer', () => {
  const streaming = AiMode.options.filter((mode) => dialects[mode].contentType.includes('event'));

  it.each(streaming)('through %s is too large if an event never ends', async (mode) => {
    model.script((res) => {
      res.writeHead(200, { 'Content-Type': dialects[mode].contentType });
      res.on('error', () => undefined);
      const more = (): boolean =>
        res.destroyed || (res.write('data: and on\n'.repeat(5_000)) && more());
      res.on('drain', more);
      more();
    });
    const { error } = await ask(mode, { maxLineBytes: 1024 * 1024, maxBytes: 64 * 1024 * 1024 });
    expect(error).toMatchObject({ code: 'model_too_large' });
    await expect.poll(() => model.abortedAnswers).toBe(1);
  });

  it.each(AiMode.options)('through %s with an error status is read up to a limit', async (mode) => {
    model.script((res) => {
      res.writeHead(400, { 'Content-Type': 'text/plain' });
      const drip = setInterval(() => res.write('no '), 20);
      res.on('close', () => clearInterval(drip));
    });
    expect(await ask(mode, { refusalMs: 300 })).toMatchObject({
      error: { code: 'model_refused' },
    });
    await expect.poll(() => model.abortedAnswers).toBeGreaterThan(0);
  });
});
