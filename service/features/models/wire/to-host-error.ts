import { type ErrorKind, HostError } from '../../../core/host-error.ts';
import { readableText } from '../../../core/readable-text.ts';
import { type HostText, type Message, msg } from '../../../messages/index.ts';
import { isCertificateError, isContextTooLong, isQuota, type ModelError } from './model-error.ts';

/** Facts about a server for messages, without credentials. */
export interface ModelEndpoint {
  /** Host and port of the server. */
  host: HostText;
  model: string;
  /** Removed from all texts of the server. */
  apiKey: string;
}

/** Characters of the server's own message that are shown. */
const maxMessageCharacters = 300;
const maxDetails = 20_000;

/** Converts a failure to a readable message that says what to do. */
export function toHostError(modelError: ModelError, endpoint: ModelEndpoint): HostError {
  const [kind, code, text] = errorParts(modelError, endpoint);
  // Without the cause, since errors of SDKs may contain the request.
  const details = dataIn(modelError, endpoint);
  return new HostError(kind, code, text, details === undefined ? {} : { details });
}

type ErrorParts = [ErrorKind, string, Message];

function errorParts(modelError: ModelError, endpoint: ModelEndpoint): ErrorParts {
  const { host } = endpoint;
  switch (modelError.kind) {
    case 'refused':
      return refused(modelError, endpoint);
    case 'unreachable':
      return ['upstream-failed', 'model_unreachable', unreachable(modelError, host)];
    case 'redirected': {
      const address = serverMessage(modelError, endpoint);
      return ['upstream-failed', 'model_redirected', msg('model.redirected', { host, address })];
    }
    case 'stalled':
      return ['upstream-timeout', 'model_stalled', msg('model.stalled', { host })];
    case 'broken-off':
      return ['upstream-failed', 'model_broke_off', msg('model.brokeOff', { host })];
    case 'unreadable':
      return ['upstream-failed', 'model_unreadable', msg('model.unreadable', { host })];
    case 'too-large':
      return ['upstream-failed', 'model_too_large', msg('model.tooLarge', { host })];
  }
}

function unreachable(modelError: ModelError, host: HostText): Message {
  const { code: reason } = modelError;
  if (isCertificateError(modelError)) return msg('model.certificateNotTrusted', { host, reason });
  return reason === ''
    ? msg('model.unreachable', { host })
    : msg('model.unreachableBecause', { host, reason });
}

function refused(modelError: ModelError, endpoint: ModelEndpoint): ErrorParts {
  const [kind, code, problem] = refusalParts(modelError, endpoint);
  const answer = serverMessage(modelError, endpoint);
  return [kind, code, answer === '' ? problem : msg('model.withAnswer', { problem, answer })];
}

function refusalParts(modelError: ModelError, endpoint: ModelEndpoint): ErrorParts {
  const { host, model } = endpoint;
  if (isQuota(modelError))
    return ['upstream-failed', 'model_no_quota', msg('model.noQuota', { host })];
  if (isContextTooLong(modelError))
    return ['upstream-failed', 'model_context_too_long', msg('model.contextTooLong', { model })];
  const status = modelError.status ?? 500;
  if (status === 401 || status === 403)
    return ['upstream-failed', 'model_key_refused', msg('model.keyRefused', { host })];
  if (status === 404 || status === 405) return notFoundParts(modelError, endpoint);
  if (status === 429) return ['unavailable', 'model_busy', busy(modelError, host)];
  return failureParts(modelError, host);
}

function failureParts({ status }: ModelError, host: HostText): ErrorParts {
  if (status === undefined)
    return ['upstream-failed', 'model_server_failed', msg('model.failed', { host })];
  return status >= 500
    ? ['upstream-failed', 'model_server_failed', msg('model.failedWithStatus', { host, status })]
    : ['upstream-failed', 'model_refused', msg('model.refusedWithStatus', { host, status })];
}

function notFoundParts({ text, code }: ModelError, { host, model }: ModelEndpoint): ErrorParts {
  return /model/i.test(`${text} ${code}`)
    ? ['upstream-failed', 'model_unknown', msg('model.unknown', { host, model })]
    : ['upstream-failed', 'model_wrong_address', msg('model.wrongAddress', { host })];
}

const busy = ({ retryAfterMs }: ModelError, host: HostText): Message =>
  retryAfterMs === undefined
    ? msg('model.busy', { host })
    : msg('model.busySeconds', { host, seconds: Math.ceil(retryAfterMs / 1000) });

/** Data from the server, without the key. */
function dataIn({ text }: ModelError, { apiKey }: ModelEndpoint): string | undefined {
  const { details } = readableText(text);
  return details === undefined ? undefined : withoutKey(details, apiKey).slice(0, maxDetails);
}

const withoutKey = (text: string, apiKey: string): string =>
  apiKey.length < 4 ? text : text.replaceAll(apiKey, '***');

/** The server's message on one line, without the key. */
function serverMessage({ text }: ModelError, { apiKey }: ModelEndpoint): string {
  const plain = readableText(text)
    .sentence.slice(0, maxMessageCharacters * 20)
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .trim();
  const safe = withoutKey(plain, apiKey);
  return safe.length > maxMessageCharacters ? `${safe.slice(0, maxMessageCharacters)}…` : safe;
}
