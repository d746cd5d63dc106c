import { isObject } from '../../../core/is-object.ts';
import { type Message, msg } from '../../../messages/index.ts';

const enterVariables = msg('mcp.importEnterVariables');
const enterHeaders = msg('mcp.importEnterHeaders');
const signInByServer = msg('mcp.importSignInByServer');
const allTools = msg('mcp.importAllTools');

/**
 * Keys of other programs that this one does not support and whose absence changes the behavior,
 * with an explanation.
 */
const advice = new Map([
  ['env_vars', enterVariables],
  ['envFile', enterVariables],
  ['bearer_token_env_var', enterHeaders],
  ['env_http_headers', enterHeaders],
  ['headersHelper', enterHeaders],
  ['enabled_tools', allTools],
  ['disabled_tools', allTools],
  ['includeTools', allTools],
  ['excludeTools', allTools],
  ['disabledTools', allTools],
  ['oauth.authServerMetadataUrl', signInByServer],
  ['oauth.authorizationUrl', signInByServer],
  ['oauth.tokenUrl', signInByServer],
]);

/** One message for each such key of a server. */
export function lostKeys(server: unknown): Message[] {
  if (!isObject(server)) return [];
  const oauth = isObject(server['oauth']) ? server['oauth'] : {};
  const entries = Object.keys(oauth).map((key) => [`oauth.${key}`, oauth[key]] as const);
  return [...Object.entries(server), ...entries].flatMap(([key, value]) => {
    const todo = advice.get(key);
    if (todo === undefined || isEmpty(value)) return [];
    return [msg('mcp.importKeyNotTaken', { key, advice: todo })];
  });
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);
