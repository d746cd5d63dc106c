import { anthropicBackend } from './anthropic/anthropic-backend.ts';
import type { BackendConfig } from './backend-config.ts';
import { localBackend } from './local-backend.ts';
import type { ModelBackend } from './model-backend.ts';
import { openAiBackend } from './openai/openai-backend.ts';
import type { ModelWire } from './wire/model-wire.ts';
import { TraitBook } from './wire/server-traits.ts';

/** The backend of a mode. Nothing is loaded or asked before its first use. */
export function backendOf(
  config: BackendConfig,
  wire: ModelWire,
  traitBook = new TraitBook(),
): ModelBackend {
  const { mode, baseUrl, model } = config;
  const traits = traitBook.of(mode, baseUrl, model);
  switch (mode) {
    case 'local':
      return localBackend(config, wire, traits);
    case 'cloud_a':
    case 'cloud_c':
      return openAiBackend(config, wire, traits);
    case 'cloud_b':
      return anthropicBackend(config, wire, traits);
  }
}
