import { addressOf, type BackendConfig } from './backend-config.ts';
import type { ModelBackend } from './model-backend.ts';
import { askOllama, listOllama } from './ollama/ask-ollama.ts';
import { type Asking, askOpenAi, learnOpenAi, listOpenAi } from './openai/openai-backend.ts';
import type { ModelError } from './wire/model-error.ts';
import type { ModelWire } from './wire/model-wire.ts';
import { protocolBackend } from './wire/protocol-backend.ts';
import type { ServerCapabilities } from './wire/server-capabilities.ts';

/** Uses Ollama's API, or an OpenAI-compatible one below `/v1` if the server has only that. */
export function localBackend(
  config: BackendConfig,
  wire: ModelWire,
  capabilities: ServerCapabilities,
): ModelBackend {
  const isCompatible = (): boolean => capabilities.compatible ?? addressOf(config).endsWith('/v1');
  const learnApi = (modelError: ModelError): boolean => {
    if (!hasOtherApi(modelError)) return false;
    if (isCompatible()) {
      // The server has neither; Ollama may be available next time.
      delete capabilities.compatible;
      return false;
    }
    capabilities.compatible = true;
    return true;
  };
  return protocolBackend(config, wire.limits, {
    ask(request, signal) {
      const asking: Asking = { config, wire, capabilities, signal };
      return isCompatible() ? askOpenAi(request, asking) : askOllama(request, asking);
    },
    list(signal) {
      const asking: Asking = { config, wire, capabilities, signal };
      return isCompatible() ? listOpenAi(asking) : listOllama(asking);
    },
    learn: (modelError, request) =>
      learnApi(modelError) || learnOpenAi(capabilities, modelError, request),
    learnFromList: learnApi,
  });
}

/** True if the server does not know the path; an unknown model is a different error. */
function hasOtherApi({ kind, status, code, text }: ModelError): boolean {
  if (kind === 'unreadable') return true;
  if (kind !== 'refused' || /model/i.test(`${code} ${text}`)) return false;
  if (status === undefined) return /endpoint|unexpected|not found/i.test(text);
  return status === 404 || status === 405 || status === 501;
}
