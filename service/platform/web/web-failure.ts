import { HostError } from '../../core/host-error.ts';
import { type Message, msg } from '../../messages/index.ts';

const explanations: readonly [RegExp, (host: string) => Message][] = [
  [/^ECONNREFUSED$/, (host) => msg('web.refusesConnection', { host })],
  [/^(ENETUNREACH|EHOSTUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM)$/, noRoute],
  [/^(ETIMEDOUT|UND_ERR_\w+_TIMEOUT)$/, tooSlow],
  [/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, otherName],
  [/^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CRL_|INVALID_CA|INVALID_PURPOSE)/, untrusted],
  [/^(ERR_SSL_|ERR_TLS_|EPROTO$)/, noTls],
  [/^(Z_|ERR_)\w*(BUF_ERROR|DATA_ERROR|NEED_DICT|ERROR_FORMAT|PADDING|BROTLI)/, damaged],
  [/^(HPE_|UND_ERR_HEADERS_OVERFLOW)/, noHttp],
  [
    /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_\w+|ERR_STREAM_PREMATURE_CLOSE)$/,
    brokenOff,
  ],
];

/** Returns the error of a failed connection to `host`, as a message. */
export function webFailure(error: unknown, host: string): HostError {
  const code = codeOf(error);
  const explain = explanations.find(([pattern]) => pattern.test(code))?.[1] ?? unknown;
  return unreachable(explain(host), error);
}

export function timedOut(host: string): HostError {
  return unreachable(tooSlow(host));
}

export function unreachable(message: Message, cause?: unknown): HostError {
  return new HostError('upstream-failed', 'unreachable', message, { cause });
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { code } = error as { code?: unknown };
  // It has no code. A truncated chunked body ends the parser, too.
  if (error.name === 'HTTPParserError') return /EOF/.test(error.message) ? 'ECONNRESET' : 'HPE_';
  // The reset behind "other side closed" or a TLS failure behind a socket error is more
  // informative.
  if (typeof code === 'string' && code !== 'UND_ERR_SOCKET') return code;
  return codeOf(error.cause) || (typeof code === 'string' ? code : '');
}

function tooSlow(host: string): Message {
  return msg('web.timedOut', { host });
}

function noRoute(host: string): Message {
  return msg('web.noWay', { host });
}

function otherName(host: string): Message {
  return msg('web.otherCertificate', { host });
}

function untrusted(host: string): Message {
  return msg('web.untrustedCertificate', { host });
}

function noTls(host: string): Message {
  return msg('web.noTls', { host });
}

function damaged(host: string): Message {
  return msg('web.damaged', { host });
}

function noHttp(host: string): Message {
  return msg('web.notHttp', { host });
}

function brokenOff(host: string): Message {
  return msg('web.brokenOff', { host });
}

function unknown(host: string): Message {
  return msg('web.unknownFailure', { host });
}
