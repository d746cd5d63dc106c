import { HostError } from '../../../core/host-error.ts';
import type { ModelBackend, ModelEvent } from '../../models/index.ts';
import type { SampleRequest } from './sample-request.ts';

/** A local model may have to be loaded first. */
const answerLimitMs = 5 * 60_000;
/** Limit for servers that ignore the token limit. */
const maxCharacters = 256 * 1024;

type StopReason = 'endTurn' | 'maxTokens' | 'stopSequence';

/** The result of `sampling/createMessage`. */
export interface SamplingAnswer {
  role: 'assistant';
  content: { type: 'text'; text: string };
  model: string;
  stopReason: StopReason;
  [more: string]: unknown;
}

/** Asks the model. @throws HostError if there is no model, or the reason of the signal */
export async function modelAnswer(
  backend: ModelBackend,
  { stops, ...request }: SampleRequest,
  callerSignal: AbortSignal,
): Promise<SamplingAnswer> {
  const late = AbortSignal.timeout(answerLimitMs);
  const signal = AbortSignal.any([callerSignal, late]);
  try {
    const { text, stopReason } = await read(
      backend.stream({ ...request, tools: [], signal }),
      stops,
    );
    const content = { type: 'text' as const, text };
    return { role: 'assistant', content, model: backend.model, stopReason };
  } catch (error) {
    if (late.aborted && !callerSignal.aborted) throw tookTooLong();
    throw error;
  }
}

async function read(
  events: AsyncIterable<ModelEvent>,
  stops: readonly string[],
): Promise<{ text: string; stopReason: StopReason }> {
  let text = '';
  for await (const event of events) {
    if (event.type === 'end') return { text, stopReason: reasonOf(event, text) };
    if (event.type !== 'text') continue;
    text += event.text;
    const cut = firstOf(stops, text);
    if (cut !== -1) return { text: text.slice(0, cut), stopReason: 'stopSequence' };
    if (text.length > maxCharacters)
      return { text: text.slice(0, maxCharacters).toWellFormed(), stopReason: 'maxTokens' };
  }
  throw noAnswer('It broke off.');
}

/** Position of the first stop sequence in the text; -1 if there is none. */
function firstOf(stops: readonly string[], text: string): number {
  const offsets = stops.map((stop) => text.indexOf(stop)).filter((at) => at !== -1);
  return offsets.length === 0 ? -1 : Math.min(...offsets);
}

function reasonOf(
  { reason, detail }: Extract<ModelEvent, { type: 'end' }>,
  text: string,
): StopReason {
  if (reason === 'length') return 'maxTokens';
  if (reason === 'refusal') throw noAnswer(detail ?? 'It refused to answer.');
  if (reason !== 'stop' && text === '') throw noAnswer(detail ?? 'It said nothing.');
  return 'endTurn';
}

const noAnswer = (why: string): HostError => new HostError('upstream-failed', 'model_refused', why);
const tookTooLong = (): HostError =>
  new HostError('upstream-timeout', 'model_stalled', 'The model did not answer in five minutes.');
