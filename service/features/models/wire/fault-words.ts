import { type ErrorKind, HostError } from '../../../core/host-error.ts';
import { readableText } from '../../../core/readable-text.ts';
import { isCertificateFault, isContextTooLong, isQuota, type ModelFault } from './model-fault.ts';

/** What a message may name: where the model is, never how one gets in. */
export interface ModelPlace {
  /** Host and port of the server. */
  host: string;
  model: string;
  /** Taken out of whatever the server says. */
  apiKey: string;
}

/** So much of a server's own words is shown. */
const maxSaid = 300;
const maxDetails = 20_000;

/** A fault as a sentence for a person that says what to do. */
export function worded(fault: ModelFault, place: ModelPlace): HostError {
  const [kind, code, message] = wordsOf(fault, place);
  // The cause is left out: what packages throw may hold the request.
  const details = dataIn(fault, place);
  return new HostError(kind, code, message, details === undefined ? {} : { details });
}

type Words = [ErrorKind, string, string];

function wordsOf(fault: ModelFault, place: ModelPlace): Words {
  const { host } = place;
  switch (fault.kind) {
    case 'refused':
      return refusalWords(fault, place);
    case 'unreachable':
      return unreachableWords(fault, host);
    case 'redirected':
      return [
        'upstream-failed',
        'model_redirected',
        `${host} points to another address (${said(fault, place)}). Enter that address, if it is the right one; the key was not sent there.`,
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

function unreachableWords(fault: ModelFault, host: string): Words {
  const why = isCertificateFault(fault)
    ? `The certificate of ${host} cannot be trusted (${fault.code}). Check its address and its certificate.`
    : `${host} cannot be reached${fault.code === '' ? '' : ` (${fault.code})`}. Check that the server runs, its address and the network.`;
  return ['upstream-failed', 'model_unreachable', why];
}

function refusalWords(fault: ModelFault, place: ModelPlace): Words {
  const { host, model } = place;
  const words = said(fault, place);
  const saying = words === '' ? '' : ` It says: ${words}`;
  if (isQuota(fault))
    return [
      'upstream-failed',
      'model_no_quota',
      `The account at ${host} has no quota left. Check its plan and billing.${saying}`,
    ];
  if (isContextTooLong(fault))
    return [
      'upstream-failed',
      'model_context_too_long',
      `The conversation is too long for ${model}. Start a new one, or set a smaller context window in the AI settings.${saying}`,
    ];
  const status = fault.status ?? 500;
  if (status === 401 || status === 403)
    return [
      'upstream-failed',
      'model_key_refused',
      `${host} refuses the key. Enter a valid API key in the AI settings.${saying}`,
    ];
  if (status === 404 || status === 405) return unknownWords(fault, place, saying);
  if (status === 429)
    return [
      'unavailable',
      'model_busy',
      `${host} takes no more requests right now. Wait ${waitOf(fault)} and try again.${saying}`,
    ];
  return status >= 500
    ? [
        'upstream-failed',
        'model_server_failed',
        `${host} failed${statusOf(fault)}. Try again.${saying}`,
      ]
    : [
        'upstream-failed',
        'model_refused',
        `${host} refused the request${statusOf(fault)}.${saying}`,
      ];
}

function unknownWords(fault: ModelFault, { host, model }: ModelPlace, saying: string): Words {
  if (/model/i.test(`${fault.text} ${fault.code}`))
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

const statusOf = ({ status }: ModelFault): string => (status === undefined ? '' : ` (${status})`);

function waitOf({ retryAfterMs }: ModelFault): string {
  if (retryAfterMs === undefined) return 'a little';
  const seconds = Math.ceil(retryAfterMs / 1000);
  return seconds === 1 ? 'a second' : `${seconds} seconds`;
}

/** Data in the server's words, without the key. */
function dataIn({ text }: ModelFault, { apiKey }: ModelPlace): string | undefined {
  const { details } = readableText(text);
  return details === undefined ? undefined : withoutKey(details, apiKey).slice(0, maxDetails);
}

const withoutKey = (text: string, apiKey: string): string =>
  apiKey.length < 4 ? text : text.replaceAll(apiKey, '***');

/** The server's words on one line, without the key. */
function said({ text }: ModelFault, { apiKey }: ModelPlace): string {
  const plain = readableText(text)
    .sentence.slice(0, maxSaid * 20)
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim();
  const safe = withoutKey(plain, apiKey);
  return safe.length > maxSaid ? `${safe.slice(0, maxSaid)}…` : safe;
}
