import type { NewPrompt, NewProvider, ProviderProtocol } from '../../contract/index.ts';
import { isObject } from '../../core/is-object.ts';
import { msg } from '../../messages/index.ts';
import { type FoundParts, type ImportWarning, nothing } from './found-parts.ts';
import { promptName } from './prompt-name.ts';

/**
 * Reads a backup of Cherry Studio (`data.json`): redux-persist stores its state as JSON in
 * `localStorage`, with each part serialized as JSON again; quick phrases are in `indexedDB`.
 */
export function cherryStudioParts(document: unknown): FoundParts {
  if (!isObject(document)) return nothing();
  const storage = objectOf(document['localStorage']);
  const state = objectOf(storage['persist:cherry-studio']);
  const warnings: ImportWarning[] = [];
  return {
    servers: serversOf(objectOf(state['mcp'])['servers']),
    providers: listOf(objectOf(state['llm'])['providers']).flatMap((one) =>
      providerOf(one, warnings),
    ),
    prompts: promptsOf(
      [
        ...listOf(objectOf(state['assistants'])['assistants']),
        ...listOf(objectOf(state['assistants'])['presets']),
      ],
      listOf(objectOf(document['indexedDB'])['quick_phrases']),
    ),
    warnings,
  };
}

/** Returns an object, even if it is stored as JSON. */
function objectOf(value: unknown): Record<string, unknown> {
  if (isObject(value)) return value;
  if (typeof value !== 'string') return {};
  try {
    const parsed = JSON.parse(value) as unknown;
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

const listOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

const textIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** The built-in servers of Cherry Studio have no command outside of it. */
function serversOf(servers: unknown): Record<string, unknown> {
  const entries = listOf(servers)
    .filter(({ type }) => type !== 'inMemory')
    .map(({ name, id, type, command, args, env, headers, baseUrl, url, isActive }) => {
      const address = textIn(baseUrl) || textIn(url);
      const isRemote = address !== '' && textIn(command) === '';
      const server = isRemote
        ? { type: type === 'sse' ? 'sse' : 'http', url: address, headers }
        : { command, args, env };
      return [
        textIn(name) || textIn(id),
        { ...server, ...(isActive === false ? { disabled: true } : {}) },
      ];
    });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

const protocols: Readonly<Record<string, ProviderProtocol>> = {
  openai: 'openai',
  'openai-response': 'openai',
  'new-api': 'openai',
  mistral: 'openai',
  anthropic: 'anthropic',
  ollama: 'ollama',
};

/** Cherry Studio lists dozens of providers; only those in use are imported. */
function providerOf(
  { id, name, type, apiKey, apiHost, models, enabled }: Record<string, unknown>,
  warnings: ImportWarning[],
): NewProvider[] {
  const label = (textIn(name) || textIn(id)).slice(0, 100);
  // Several keys are separated by commas.
  const key = textIn(textIn(apiKey).split(',', 1)[0]);
  if (label === '' || (enabled !== true && key === '')) return [];
  const protocol = id === 'ollama' ? 'ollama' : protocols[textIn(type)];
  const baseUrl = addressOf(textIn(apiHost), protocol);
  if (protocol === undefined || baseUrl === '') {
    const reason =
      protocol === undefined
        ? msg('import.protocolUnknown', { protocol: textIn(type) })
        : msg('import.noAddress');
    warnings.push({ name: label, reason });
    return [];
  }
  const names = [...new Set(listOf(models).map((model) => textIn(model['id'])))].filter(Boolean);
  return [
    {
      name: label,
      protocol,
      baseUrl,
      apiKey: key,
      ...(names.length === 0 ? {} : { models: names.slice(0, 500) }),
    },
  ];
}

/** Cherry Studio adds `/v1` unless the address ends with `/` or `#`. */
function addressOf(host: string, protocol: ProviderProtocol | undefined): string {
  const plain = host.replace(/(?:\/chat\/completions)?\/?#?$/, '').replace(/\/+$/, '');
  if (plain === '' || protocol !== 'openai') return plain.replace(/\/v1$/, '');
  return /[/#]$/.test(host) || /\/v\d+\w*(?:\/|$)/.test(plain) ? plain : `${plain}/v1`;
}

function promptsOf(
  assistants: readonly Record<string, unknown>[],
  phrases: readonly Record<string, unknown>[],
): NewPrompt[] {
  const own = assistants.map(({ name, prompt }) => ({ title: name, content: prompt }));
  const inAssistants = assistants.flatMap(({ regularPhrases }) => listOf(regularPhrases));
  return [...own, ...inAssistants, ...phrases].flatMap(({ title, content }) => {
    // Quick phrases have `${name}` placeholders.
    const text = textIn(content).replace(/\$\{([\p{L}\p{N}_][\p{L}\p{N}_ -]*)\}/gu, '{{$1}}');
    const label = textIn(title);
    if (text === '') return [];
    return [{ name: promptName(label), text, ...(label === '' ? {} : { description: label }) }];
  });
}
