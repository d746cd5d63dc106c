import type { AiMode } from '../../contract/index.ts';
import { anthropicBackend } from './anthropic/anthropic-backend.ts';
import type { BackendChoice, BackendKind } from './backend-config.ts';
import { localBackend } from './local-backend.ts';
import type { ModelBackend } from './model-backend.ts';
import { openAiBackend } from './openai/openai-backend.ts';
import type { ModelWire } from './wire/model-wire.ts';
import { CapabilityCache } from './wire/server-capabilities.ts';

/** All differences between the backends. */
export const backends: Readonly<Record<AiMode, BackendKind>> = {
  local: {
    usualAddress: 'http://127.0.0.1:11434',
    pastedSuffix: /\/api(\/chat)?$|\/chat\/completions$/,
    needs: null,
    loadsModels: true,
    root: 'below-v1',
    maxTokensName: 'max_tokens',
    writesThinkTags: true,
    make: localBackend,
  },
  cloud_a: {
    usualAddress: 'https://api.openai.com/v1',
    pastedSuffix: /\/chat\/completions$/,
    needs: 'apiKey',
    loadsModels: false,
    root: 'as-given',
    // Few other servers know the new name.
    maxTokensName: 'max_completion_tokens',
    writesThinkTags: false,
    make: openAiBackend,
  },
  cloud_b: {
    usualAddress: 'https://api.anthropic.com',
    pastedSuffix: /(\/v1)?(\/messages)?$/,
    needs: 'apiKey',
    loadsModels: false,
    root: 'as-given',
    maxTokensName: 'max_tokens',
    writesThinkTags: false,
    make: anthropicBackend,
  },
  cloud_c: {
    usualAddress: '',
    pastedSuffix: /\/chat\/completions$/,
    needs: 'baseUrl',
    loadsModels: false,
    root: 'learned',
    maxTokensName: 'max_tokens',
    writesThinkTags: true,
    make: openAiBackend,
  },
};

/** Creates the backend of a mode. It loads and requests nothing before its first use. */
export function backendOf(
  choice: BackendChoice,
  wire: ModelWire,
  capabilityCache = new CapabilityCache(),
): ModelBackend {
  const { mode, baseUrl, model } = choice;
  const kind = backends[mode];
  return kind.make({ ...choice, kind }, wire, capabilityCache.of(mode, baseUrl, model));
}

/** True if everything that a request needs is configured. */
export function isReady(choice: BackendChoice): boolean {
  const { needs } = backends[choice.mode];
  return choice.model !== '' && (needs === null || choice[needs] !== '');
}
