import { HostError } from '../../core/host-error.ts';

const explanations: readonly [RegExp, (host: string) => string][] = [
  [/^ECONNREFUSED$/, (host) => `${host} refuses the connection. Check the address and its port.`],
  [/^(ENETUNREACH|EHOSTUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM)$/, noWay],
  [/^(ETIMEDOUT|UND_ERR_\w+_TIMEOUT)$/, tooSlow],
  [/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, otherName],
  [/^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CRL_|INVALID_CA|INVALID_PURPOSE)/, distrusted],
  [/^(ERR_SSL_|ERR_TLS_|EPROTO$)/, noTls],
  [/^(Z_|ERR_)\w*(BUF_ERROR|DATA_ERROR|NEED_DICT|ERROR_FORMAT|PADDING|BROTLI)/, damaged],
  [/^(HPE_|UND_ERR_HEADERS_OVERFLOW)/, noHttp],
  [
    /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_\w+|ERR_STREAM_PREMATURE_CLOSE)$/,
    brokenOff,
  ],
];

/** What failed between this machine and `host`, in words. */
export function webFailure(error: unknown, host: string): HostError {
  const code = codeOf(error);
  const explain = explanations.find(([pattern]) => pattern.test(code))?.[1] ?? unknown;
  return unreachable(explain(host), error);
}

export function timedOut(host: string): HostError {
  return unreachable(tooSlow(host));
}

export function unreachable(message: string, cause?: unknown): HostError {
  return new HostError('upstream-failed', 'unreachable', message, { cause });
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { code } = error as { code?: unknown };
  // It carries no code. A chunked body that is cut short ends the parser, too.
  if (error.name === 'HTTPParserError') return /EOF/.test(error.message) ? 'ECONNRESET' : 'HPE_';
  // The reset behind "other side closed" or a TLS failure behind a socket error says more.
  if (typeof code === 'string' && code !== 'UND_ERR_SOCKET') return code;
  return codeOf(error.cause) || (typeof code === 'string' ? code : '');
}

function tooSlow(host: string): string {
  return `${host} did not answer in time: the request timed out. Try again later.`;
}

function noWay(host: string): string {
  return `${host} cannot be reached from this machine. Check the network connection.`;
}

function otherName(host: string): string {
  return `The TLS certificate of ${host} is for another name. Check the address.`;
}

function distrusted(host: string): string {
  return `The TLS certificate of ${host} is not trusted here. Check the address, or the certificate.`;
}

function noTls(host: string): string {
  return `No TLS connection to ${host} was possible. Check the address and its port.`;
}

function damaged(host: string): string {
  return `What ${host} sent is damaged: it cannot be unpacked. Try again.`;
}

function noHttp(host: string): string {
  return `${host} does not answer as a web server does. Check the address and its port.`;
}

function brokenOff(host: string): string {
  return `The connection to ${host} broke off. Try again.`;
}

function unknown(host: string): string {
  return `Nothing could be fetched from ${host}. Try again later.`;
}
