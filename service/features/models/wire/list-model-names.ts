import { type ModelEndpoint, toHostError } from './to-host-error.ts';
import { toModelError, ModelError } from './model-error.ts';
import type { ModelLimits } from './model-limits.ts';

const maxModels = 2_000;

export interface Listing {
  endpoint: ModelEndpoint;
  limits: ModelLimits;
  signal: AbortSignal;
  /** True where it is worth asking once more. */
  learn?: (modelError: ModelError) => boolean;
}

/**
 * The names of models from whatever a server lists them in; none where it has no list.
 * @throws HostError in words for a person
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
