/** Tokens that are recognizable by their prefix, anywhere in a value. */
const tokens = [
  /(?<![\w-])(?:sk|rk|pk)[-_][\w-]{16,}/,
  /\b(?:gh[pousr]_|github_pat_|npm_|hf_|do[por]_v1_|shp(?:at|ca|pa|ss)_|dckr_(?:pat|oat)_)\w{16,}/,
  /\b(?:whsec_|gsk_|r8_|sbp_|figd_|lin_api_|ntn_|secret_|rubygems_|sntry[su]_|lsv2_|ph[cx]_)[\w-]{16,}/,
  /\b(?:gl[a-z]{2,6}-|xai-|pplx-|pypi-Ag|GOCSPX-|HRKU-|PMAK-|nvapi-|tvly-|ATATT3|hv[sbr]\.)[\w-]{16,}/,
  /\bxox[abeoprs]-[\w-]{10,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAIza[\w-]{30,}/,
  /\bya29\.[\w-]{20,}/,
  /(?<![\w/])1\/\/0[\w-]{20,}/,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/,
  /\b(?:key-|SK|dapi)[0-9a-f]{32}\b/,
  /\b\d{8,10}:[\w-]{35}\b/,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/,
  /\/\/hooks\.slack\.com\/\w+\/|\/api\/webhooks\/\d+\/[\w-]/,
];

const keys = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY/,
  /\bPuTTY-User-Key-File-/,
  /\bAGE-SECRET-KEY-1/,
  // `-----BEGIN` in base64.
  /\bLS0tLS1CRUdJTi/,
  /"(?:private_key(?:_id)?|client_secret|refresh_token|auths)"\s*:/i,
];

const word = String.raw`(?:(?<!com|by|tres)pass(?:word|wd|phrase)?|pwd|secret|token|auth|authorization|api[-_]?key|(?:access|account|private|secret|signing|shared)[-_]?key|credentials?|cookie|session[-_]?id|sig|signature)`;

/** Names of secrets with their values, as in URLs, options, JSON and YAML. */
const named = [
  new RegExp(String.raw`${word}["']?\s*=\s*["']?[^\s"'&;,=]`, 'i'),
  new RegExp(String.raw`${word}(?:["']\s*:|:\s)\s*["']?[^\s"'&;,]`, 'i'),
  new RegExp(String.raw`(?:^|\s)--?(?:[a-z]+-)*${word}\s+[^\s-]`, 'i'),
  /(?:^|\s)(?:-u|--user)[\s=]*[^\s:]{1,200}:\S/,
  /\blogin\s+\S+\s+password\s+\S/i,
  /\b(?:Bearer|Basic) [\w+/.=~-]{12,}/i,
];

/** User names and passwords before the name of a server. */
const addresses = [
  // A password can contain any character; a port is not a password.
  /[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/?#@:]*:(?!\d{1,5}(?:[/?#]|$))[^\s@]{1,500}@/i,
  /\bhttps?:\/\/[^\s/?#@:]{12,}@/i,
  /[^\s:@/]:[^\s@]{1,500}@(?:tcp|udp|unix)\(/,
  /\bjdbc:oracle:\w+:[^\s/@]+\/[^\s@]+@/i,
];

const patterns = [...tokens, ...keys, ...named, ...addresses];

/** Returns true if a value looks like a secret, including encoded in base64 or for a URL. */
export function isSecretValue(value: string): boolean {
  return [value, ...decoded(value)].some(isSecret) || isRandom(value) || isHidden(value);
}

const isSecret = (value: string): boolean => patterns.some((pattern) => pattern.test(value));

function decoded(value: string): string[] {
  if (!/%[0-9a-f]{2}/i.test(value)) return [];
  try {
    return [decodeURIComponent(value)];
  } catch {
    return [];
  }
}

const base64 = /^[\w+/-]{16,}={0,2}$/;

/** Base64 of JSON, of a user name with a password, or of a secret. */
function isHidden(value: string): boolean {
  const packed = value.replaceAll(/\s/g, '');
  if (!base64.test(packed)) return false;
  const text = Buffer.from(packed, 'base64').toString('utf8');

  if (/[\0-\x08\x0e-\x1f\ufffd]/.test(text)) return false;
  return /^\s*\{\s*"/.test(text) || /^[\w.@+-]+:[^\s/]/.test(text) || isSecret(text);
}

const randomLength = 32;
/** Average word length in names that people choose; random text has shorter words. */
const meanWord = 3.5;

/**
 * A long random word. Hashes of commits and builds have letters of one case only; checksums of
 * packages name their algorithm.
 */
function isRandom(value: string): boolean {
  const isWord = value.length >= randomLength && /^[\w+/-]+={0,2}$/.test(value);
  if (!isWord || /^(?:\/|sha\d+-)/.test(value)) return false;
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value) || !/\d/.test(value)) return false;
  const words = value.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];
  return words.join('').length / words.length < meanWord;
}
