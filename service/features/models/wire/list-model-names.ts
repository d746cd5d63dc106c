import { type ModelEndpoint, toHostError } from './to-host-error.ts';
import { toModelError, ModelError } from './model-error.ts';
import type { ModelLimits } from './model-limits.ts';

const maxModels = 2_000;

/** The request for the list of models, and its retry. */
export interface Listing {
  endpoint: ModelEndpoint;
  limits: ModelLimits;
  signal: AbortSignal;
  /** True if the request is worth repeating. */
  learn?: (modelError: ModelError) => boolean;
}

/**
 * Reads the names of models from any known form of list; empty if the server has none.
 * @throws HostError with a readable message
 */
export async function listModelNames(
  { endpoint, limits, signal, learn }: Listing,
  ask: (signal: AbortSignal) => Promise<unknown>,
): Promise<string[]> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), limits.listMs);
  try {
    for (;;) {
      try {
        return namesOf(await ask(AbortSignal.any([signal, late.signal])));
      } catch (error) {
        signal.throwIfAborted();
        if (late.signal.aborted) throw toHostError(new ModelError('stalled'), endpoint);
        const modelError = toModelError(error);
        if (learn?.(modelError)) continue;
        if (modelError.kind === 'refused' && noList.has(modelError.status ?? 0)) return [];
        throw toHostError(modelError, endpoint);
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

const noList = new Set([404, 405, 501]);

function namesOf(list: unknown): string[] {
  if (!Array.isArray(list)) throw new ModelError('unreadable');
  const names = list.slice(0, maxModels).map((entry: unknown) => {
    const { id, model, name } = (entry ?? {}) as Record<string, unknown>;
    return [id, model, name].find((candidate) => typeof candidate === 'string');
  });
  return [...new Set(names.filter((name) => name !== undefined))];
}
