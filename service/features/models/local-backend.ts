import { addressOf, type BackendConfig } from './backend-config.ts';
import type { ModelBackend } from './model-backend.ts';
import { askOllama, listOllama } from './ollama/ask-ollama.ts';
import { type Asking, askOpenAi, learnOpenAi, listOpenAi } from './openai/openai-backend.ts';
import type { ModelFault } from './wire/model-fault.ts';
import type { ModelWire } from './wire/model-wire.ts';
import { protocolBackend } from './wire/protocol-backend.ts';
import type { ServerTraits } from './wire/server-traits.ts';

/** Ollama's API, or an OpenAI-compatible one below `/v1` where the server has only that. */
export function localBackend(
  config: BackendConfig,
  wire: ModelWire,
  traits: ServerTraits,
): ModelBackend {
  const isCompatible = (): boolean => traits.compatible ?? addressOf(config).endsWith('/v1');
  const learnApi = (fault: ModelFault): boolean => {
    if (!hasOtherApi(fault)) return false;
    if (isCompatible()) {
      // It has neither; perhaps Ollama will be there next time.
      delete traits.compatible;
      return false;
    }
    traits.compatible = true;
    return true;
  };
  return protocolBackend(config, wire.limits, {
    ask(request, signal) {
      const asking: Asking = { config, wire, traits, signal };
      return isCompatible() ? askOpenAi(request, asking) : askOllama(request, asking);
    },
    list(signal) {
      const asking: Asking = { config, wire, traits, signal };
      return isCompatible() ? listOpenAi(asking) : listOllama(asking);
    },
    learn: (fault, request) => learnApi(fault) || learnOpenAi(traits, fault, request),
    learnFromList: learnApi,
  });
}

/** Whether a server does not know the address at all; an unknown model is another matter. */
function hasOtherApi({ kind, status, code, text }: ModelFault): boolean {
  if (kind === 'unreadable') return true;
  if (kind !== 'refused' || /model/i.test(`${code} ${text}`)) return false;
  if (status === undefined) return /endpoint|unexpected|not found/i.test(text);
  return status === 404 || status === 405 || status === 501;
}
