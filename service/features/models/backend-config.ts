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
  /** Empty: the default address of the mode. */
  baseUrl: string;
  /** 0 if it is unknown. */
  contextWindowTokens: number;
}

/** Everything that is needed to call a model. */
export interface BackendConfig extends BackendChoice {
  kind: BackendKind;
}

/** All differences between backends; see `backends.ts`. */
export interface BackendKind {
  /** Empty if only the user knows it. */
  usualAddress: string;
  /** Path that users may paste with the address. */
  pastedSuffix: RegExp;
  /** Field that is required in addition to the name of the model. */
  needs: 'apiKey' | 'baseUrl' | null;
  /** Loading a model may take minutes, so a test only looks it up. */
  loadsModels: boolean;
  /**
   * Location of chat completions: always below `/v1`, relative to the configured address, or
   * detected.
   */
  root: 'below-v1' | 'as-given' | 'learned';
  maxTokensName: 'max_tokens' | 'max_completion_tokens';
  /** Its models may write thinking into the text, in `<think>` tags. */
  writesThinkTags: boolean;
  make: (config: BackendConfig, wire: ModelWire, capabilities: ServerCapabilities) => ModelBackend;
}

/** The address without a trailing path, as the SDKs expect it. Empty if it is unknown. */
export function addressOf({ kind, baseUrl }: Pick<BackendConfig, 'kind' | 'baseUrl'>): string {
  const address = (baseUrl === '' ? kind.usualAddress : baseUrl).replace(/\/+$/, '');
  return address.replace(kind.pastedSuffix, '').replace(/\/+$/, '');
}

/** Host and port, for messages. */
export function hostOf(config: Pick<BackendConfig, 'kind' | 'baseUrl'>): HostText {
  return URL.parse(addressOf(config))?.host ?? msg('model.server');
}
