import { type ErrorKind, HostError } from '../../../core/host-error.ts';
import { readableText } from '../../../core/readable-text.ts';
import { isCertificateError, isContextTooLong, isQuota, type ModelError } from './model-error.ts';

/** What a message may name: where the model is, never how one gets in. */
export interface ModelEndpoint {
  /** Host and port of the server. */
  host: string;
  model: string;
  /** Taken out of whatever the server says. */
  apiKey: string;
}

/** So much of a server's own words is shown. */
const maxMessageCharacters = 300;
const maxDetails = 20_000;

/** A fault as a sentence for a person that says what to do. */
export function toHostError(modelError: ModelError, endpoint: ModelEndpoint): HostError {
  const [kind, code, message] = errorParts(modelError, endpoint);
  // The cause is left out: what packages throw may hold the request.
  const details = dataIn(modelError, endpoint);
  return new HostError(kind, code, message, details === undefined ? {} : { details });
}

type ErrorParts = [ErrorKind, string, string];

function errorParts(modelError: ModelError, endpoint: ModelEndpoint): ErrorParts {
  const { host } = endpoint;
  switch (modelError.kind) {
    case 'refused':
      return refusalParts(modelError, endpoint);
    case 'unreachable':
      return unreachableParts(modelError, host);
    case 'redirected':
      return [
        'upstream-failed',
        'model_redirected',
        `${host} points to another address (${serverMessage(modelError, endpoint)}). Enter that address, if it is the right one; the key was not sent there.`,
      ];
    case 'stalled':
      return [
        'upstream-timeout',
        'model_stalled',
        `Nothing came from ${host} for too long. Try again, or choose another model.`,
      ];
    case 'broken-off':
      return [
        'upstream-failed',
        'model_broke_off',
        `The answer from ${host} broke off before its end. What came so far is kept; try again, and check the address of the server if it stays so.`,
      ];
    case 'unreadable':
      return [
        'upstream-failed',
        'model_unreadable',
        `What ${host} sends is not the answer of a model. Check the address of the server.`,
      ];
    case 'too-large':
      return [
        'upstream-failed',
        'model_too_large',
        `${host} sends more than the host takes. Try again.`,
      ];
  }
}

function unreachableParts(modelError: ModelError, host: string): ErrorParts {
  const why = isCertificateError(modelError)
    ? `The certificate of ${host} cannot be trusted (${modelError.code}). Check its address and its certificate.`
    : `${host} cannot be reached${modelError.code === '' ? '' : ` (${modelError.code})`}. Check that the server runs, its address and the network.`;
  return ['upstream-failed', 'model_unreachable', why];
}

function refusalParts(modelError: ModelError, endpoint: ModelEndpoint): ErrorParts {
  const { host, model } = endpoint;
  const message = serverMessage(modelError, endpoint);
  const saying = message === '' ? '' : ` It says: ${message}`;
  if (isQuota(modelError))
    return [
      'upstream-failed',
      'model_no_quota',
      `The account at ${host} has no quota left. Check its plan and billing.${saying}`,
    ];
  if (isContextTooLong(modelError))
    return [
      'upstream-failed',
      'model_context_too_long',
      `The conversation is too long for ${model}. Start a new one, or set a smaller context window in the AI settings.${saying}`,
    ];
  const status = modelError.status ?? 500;
  if (status === 401 || status === 403)
    return [
      'upstream-failed',
      'model_key_refused',
      `${host} refuses the key. Enter a valid API key in the AI settings.${saying}`,
    ];
  if (status === 404 || status === 405) return notFoundParts(modelError, endpoint, saying);
  if (status === 429)
    return [
      'unavailable',
      'model_busy',
      `${host} takes no more requests right now. Wait ${waitOf(modelError)} and try again.${saying}`,
    ];
  return status >= 500
    ? [
        'upstream-failed',
        'model_server_failed',
        `${host} failed${statusOf(modelError)}. Try again.${saying}`,
      ]
    : [
        'upstream-failed',
        'model_refused',
        `${host} refused the request${statusOf(modelError)}.${saying}`,
      ];
}

function notFoundParts(
  modelError: ModelError,
  { host, model }: ModelEndpoint,
  saying: string,
): ErrorParts {
  if (/model/i.test(`${modelError.text} ${modelError.code}`))
    return [
      'upstream-failed',
      'model_unknown',
      `${host} does not have the model ${model}. Choose another one in the AI settings.${saying}`,
    ];
  return [
    'upstream-failed',
    'model_wrong_address',
    `${host} has nothing at this address. Check the address of the server in the AI settings.${saying}`,
  ];
}

const statusOf = ({ status }: ModelError): string => (status === undefined ? '' : ` (${status})`);

function waitOf({ retryAfterMs }: ModelError): string {
  if (retryAfterMs === undefined) return 'a little';
  const seconds = Math.ceil(retryAfterMs / 1000);
  return seconds === 1 ? 'a second' : `${seconds} seconds`;
}

/** Data in the server's words, without the key. */
function dataIn({ text }: ModelError, { apiKey }: ModelEndpoint): string | undefined {
  const { details } = readableText(text);
  return details === undefined ? undefined : withoutKey(details, apiKey).slice(0, maxDetails);
}

const withoutKey = (text: string, apiKey: string): string =>
  apiKey.length < 4 ? text : text.replaceAll(apiKey, '***');

/** The server's words on one line, without the key. */
function serverMessage({ text }: ModelError, { apiKey }: ModelEndpoint): string {
  const plain = readableText(text)
    .sentence.slice(0, maxMessageCharacters * 20)
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim();
  const safe = withoutKey(plain, apiKey);
  return safe.length > maxMessageCharacters ? `${safe.slice(0, maxMessageCharacters)}…` : safe;
}
