import { extname } from 'node:path';

const plain = 'text/plain';

const types: Readonly<Record<string, string>> = {
  '.bmp': 'image/bmp',
  '.c': 'text/x-c',
  '.cc': 'text/x-c++',
  '.cpp': 'text/x-c++',
  '.cs': 'text/x-csharp',
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.gif': 'image/gif',
  '.go': 'text/x-go',
  '.h': 'text/x-c',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.java': 'text/x-java',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.jsonl': 'application/jsonl',
  '.jsx': 'text/javascript',
  '.kt': 'text/x-kotlin',
  '.log': plain,
  '.md': 'text/markdown',
  '.mjs': 'text/javascript',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.pdf': 'application/pdf',
  '.php': 'text/x-php',
  '.png': 'image/png',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.py': 'text/x-python',
  '.rb': 'text/x-ruby',
  '.rs': 'text/x-rust',
  '.rtf': 'application/rtf',
  '.sh': 'text/x-shellscript',
  '.sql': 'application/sql',
  '.svg': 'image/svg+xml',
  '.tar': 'application/x-tar',
  '.toml': 'application/toml',
  '.ts': 'text/typescript',
  '.tsv': 'text/tab-separated-values',
  '.tsx': 'text/typescript',
  '.txt': plain,
  '.wav': 'audio/wav',
  '.webp': 'image/webp',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.zip': 'application/zip',
};

/** MIME type by file extension; a text with an unknown one is plain text. */
export const typeOf = (name: string, isText: boolean): string =>
  types[extname(name).toLowerCase()] ?? (isText ? plain : 'application/octet-stream');

const beginnings: readonly [type: string, bytes: RegExp][] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
];

/** MIME type of an image that models accept, by its first bytes. */
export function imageTypeOf(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 16).toString('latin1');
  return beginnings.find(([, beginning]) => beginning.test(start))?.[0];
}
