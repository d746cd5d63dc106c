import type { AiMode } from '../../contract/index.ts';

/** All that is needed to ask a model; a copy, so what is changed later changes no running turn. */
export interface BackendConfig {
  mode: AiMode;
  apiKey: string;
  model: string;
  /** Empty: the usual address of the mode. */
  baseUrl: string;
  /** 0 where nobody knows. */
  contextWindowTokens: number;
}

const usualAddress: Record<AiMode, string> = {
  local: 'http://127.0.0.1:11434',
  cloud_a: 'https://api.openai.com/v1',
  cloud_b: 'https://api.anthropic.com',
  cloud_c: '',
};

/** What people copy along with an address, by mode. */
const endings: Record<AiMode, RegExp> = {
  local: /\/api(\/chat)?$|\/chat\/completions$/,
  cloud_a: /\/chat\/completions$/,
  cloud_b: /(\/v1)?(\/messages)?$/,
  cloud_c: /\/chat\/completions$/,
};

/** The address without its end, as the packages want it. Empty where none is known. */
export function addressOf({ mode, baseUrl }: Pick<BackendConfig, 'mode' | 'baseUrl'>): string {
  const address = (baseUrl === '' ? usualAddress[mode] : baseUrl).replace(/\/+$/, '');
  return address.replace(endings[mode], '').replace(/\/+$/, '');
}

/** Host and port, for a person. */
export function hostOf(config: Pick<BackendConfig, 'mode' | 'baseUrl'>): string {
  return URL.parse(addressOf(config))?.host ?? 'The model server';
}

/** Whether there is all that a request needs. */
export function isReady({ mode, apiKey, model, baseUrl }: BackendConfig): boolean {
  if (model === '') return false;
  switch (mode) {
    case 'local':
      return true;
    case 'cloud_a':
    case 'cloud_b':
      return apiKey !== '';
    case 'cloud_c':
      return baseUrl !== '';
  }
}
