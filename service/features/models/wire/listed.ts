import { type ModelPlace, worded } from './fault-words.ts';
import { faultOf, ModelFault } from './model-fault.ts';
import type { ModelLimits } from './model-limits.ts';

const maxModels = 2_000;

export interface Listing {
  place: ModelPlace;
  limits: ModelLimits;
  signal: AbortSignal;
  /** True where it is worth asking once more. */
  learn?: (fault: ModelFault) => boolean;
}

/**
 * The names of models from whatever a server lists them in; none where it has no list.
 * @throws HostError in words for a person
 */
export async function listed(
  { place, limits, signal, learn }: Listing,
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
        if (late.signal.aborted) throw worded(new ModelFault('stalled'), place);
        const fault = faultOf(error);
        if (learn?.(fault)) continue;
        if (fault.kind === 'refused' && noList.has(fault.status ?? 0)) return [];
        throw worded(fault, place);
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

const noList = new Set([404, 405, 501]);

function namesOf(list: unknown): string[] {
  if (!Array.isArray(list)) throw new ModelFault('unreadable');
  const names = list.slice(0, maxModels).map((entry: unknown) => {
    const { id, model, name } = (entry ?? {}) as Record<string, unknown>;
    return [id, model, name].find((candidate) => typeof candidate === 'string');
  });
  return [...new Set(names.filter((name) => name !== undefined))];
}
