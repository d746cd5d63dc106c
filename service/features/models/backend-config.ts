import type { AiMode } from '../../contract/index.ts';
import type { ModelBackend } from './model-backend.ts';
import type { ModelWire } from './wire/model-wire.ts';
import type { ServerCapabilities } from './wire/server-capabilities.ts';
import { type HostText, msg } from '../../messages/index.ts';

/** The user's choice; a copy, so later changes do not affect a running turn. */
export interface BackendChoice {
  mode: AiMode;
  apiKey: string;
  model: string;
  /** Empty: the usual address of the mode. */
  baseUrl: string;
  /** 0 where nobody knows. */
  contextWindowTokens: number;
}

/** All that is needed to ask a model. */
export interface BackendConfig extends BackendChoice {
  kind: BackendKind;
}

/** All that differs between backends; see `backends.ts`. */
export interface BackendKind {
  /** Empty where only the person knows it. */
  usualAddress: string;
  /** Path that people paste along with the address. */
  pastedSuffix: RegExp;
  /** Field that is required besides the model's name. */
  needs: 'apiKey' | 'baseUrl' | null;
  /** To load a model may take minutes, so a trial only looks it up. */
  loadsModels: boolean;
  /** Where its chat completions are: always below `/v1`, as the address says, or to be found out. */
  root: 'below-v1' | 'as-given' | 'learned';
  maxTokensName: 'max_tokens' | 'max_completion_tokens';
  /** Its models may write their thinking into the text. */
  writesThinkTags: boolean;
  make: (config: BackendConfig, wire: ModelWire, capabilities: ServerCapabilities) => ModelBackend;
}

/** The address without its end, as the packages want it. Empty where none is known. */
export function addressOf({ kind, baseUrl }: Pick<BackendConfig, 'kind' | 'baseUrl'>): string {
  const address = (baseUrl === '' ? kind.usualAddress : baseUrl).replace(/\/+$/, '');
  return address.replace(kind.pastedSuffix, '').replace(/\/+$/, '');
}

/** Host and port, for a person. */
export function hostOf(config: Pick<BackendConfig, 'kind' | 'baseUrl'>): HostText {
  return URL.parse(addressOf(config))?.host ?? msg('model.server');
}
