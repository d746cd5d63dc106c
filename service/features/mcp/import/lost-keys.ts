import { isObject } from '../../../core/is-object.ts';

const enterVariables = 'enter the variables in its environment';
const enterHeaders = 'enter the headers';
const asServerSays = 'where to sign in is what the server itself says';
const allTools = 'all of its tools are offered';

/** What other programs know of a server and this one does not, where leaving it out changes something. */
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
  ['oauth.authServerMetadataUrl', asServerSays],
  ['oauth.authorizationUrl', asServerSays],
  ['oauth.tokenUrl', asServerSays],
]);

/** One reason for each such key of a server. */
export function lostKeys(server: unknown): string[] {
  if (!isObject(server)) return [];
  const oauth = isObject(server['oauth']) ? server['oauth'] : {};
  const entries = Object.keys(oauth).map((key) => [`oauth.${key}`, oauth[key]] as const);
  return [...Object.entries(server), ...entries].flatMap(([key, value]) => {
    const todo = advice.get(key);
    if (todo === undefined || isEmpty(value)) return [];
    return [`has ${key}, which is not taken over: ${todo}`];
  });
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);
