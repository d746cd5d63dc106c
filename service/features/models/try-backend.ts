import type { AiConfigTrialResult } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import type { BackendChoice } from './backend-config.ts';
import { backends, isReady } from './backends.ts';
import type { ModelBackend } from './model-backend.ts';
import { type Message, msg, wireText } from '../../messages/index.ts';

/** Time limit for the complete test. */
const trialMs = 60_000;
/** Enough for a first word; some servers refuse a lower limit. */
const trialTokens = 16;

/** Codes that mean that the account cannot be used, even if models can be listed. */
const accountCodes = new Set(['model_key_refused', 'model_no_quota']);

/**
 * Tests a backend: it must list its models and, if one is configured, get a word from it. A local
 * model is only looked up, since loading it may take minutes.
 */
export async function tryBackend(
  config: BackendChoice,
  backend: ModelBackend,
  callerSignal: AbortSignal,
  /** The server may not require a key. */
  keyless = false,
): Promise<AiConfigTrialResult> {
  const startedMs = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - startedMs);
  const signal = AbortSignal.any([callerSignal, AbortSignal.timeout(trialMs)]);
  let models: string[] | undefined;
  try {
    checkAddress(config);
    models = await listOf(backend, signal);
    if (config.model !== '') await tryModel(config, backend, { models, signal, keyless });
    else if (models.length === 0) throw noModel();
    return { success: true, models, elapsedMs: elapsedMs() };
  } catch (error) {
    callerSignal.throwIfAborted();
    const failure = signal.aborted ? tookTooLong() : error;
    if (!(failure instanceof HostError)) throw failure;
    return {
      success: false,
      ...wireText('message', failure.text),
      models,
      elapsedMs: elapsedMs(),
    };
  }
}

/** @throws HostError if the address of the server is missing */
export function checkAddress({ mode, baseUrl }: BackendChoice): void {
  if (backends[mode].needs === 'baseUrl' && baseUrl === '') throw noAddress();
}

/** A server may lack a list, but an account that must not read it cannot be used either. */
async function listOf(backend: ModelBackend, signal: AbortSignal): Promise<string[]> {
  try {
    return await backend.models(signal);
  } catch (error) {
    const readable = error instanceof HostError && error.code === 'model_unreadable';
    if (!readable || backend.model === '') throw error;
    return [];
  }
}

async function tryModel(
  config: BackendChoice,
  backend: ModelBackend,
  { models, signal, keyless }: { models: string[]; signal: AbortSignal; keyless: boolean },
): Promise<void> {
  const { model, mode } = config;
  const isListed = models.includes(model) || models.includes(`${model}:latest`);
  if (backends[mode].loadsModels && models.length > 0) {
    if (!isListed) throw unknownModel(model);
    return;
  }
  if (!keyless && !isReady(config)) throw noKey();
  try {
    await firstWord(backend, signal);
  } catch (error) {
    const isAccount = error instanceof HostError && accountCodes.has(error.code);
    if (!isListed || isAccount || signal.aborted) throw error;
  }
}

async function firstWord(backend: ModelBackend, signal: AbortSignal): Promise<void> {
  const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }];
  const answer = backend.stream({ messages, tools: [], maxTokens: trialTokens, signal });
  for await (const event of answer) if (event.type !== 'usage') return;
}

const failed = (code: string, text: Message): HostError => new HostError('invalid', code, text);
const noAddress = (): HostError => failed('model_no_address', msg('model.enterAddress'));
const noKey = (): HostError => failed('model_no_key', msg('model.enterKey'));
const noModel = (): HostError => failed('model_not_chosen', msg('model.enterModel'));
const unknownModel = (model: string): HostError =>
  failed('model_unknown', msg('model.notListed', { model }));
const tookTooLong = (): HostError => failed('model_stalled', msg('model.trialTimedOut'));
