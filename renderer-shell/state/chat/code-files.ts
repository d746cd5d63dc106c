const extensions: Readonly<Record<string, string>> = {
  bash: 'sh',
  c: 'c',
  cpp: 'cpp',
  csharp: 'cs',
  css: 'css',
  csv: 'csv',
  diff: 'diff',
  go: 'go',
  html: 'html',
  java: 'java',
  javascript: 'js',
  json: 'json',
  jsx: 'jsx',
  kotlin: 'kt',
  latex: 'tex',
  markdown: 'md',
  mermaid: 'mmd',
  patch: 'patch',
  php: 'php',
  powershell: 'ps1',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  shell: 'sh',
  sql: 'sql',
  svg: 'svg',
  swift: 'swift',
  toml: 'toml',
  tsx: 'tsx',
  typescript: 'ts',
  xml: 'xml',
  yaml: 'yaml',
};

const shortNames = new Set(Object.values(extensions));

/** Returns the suggested file name for code in that language. */
export function codeFileName(language: string): string {
  const name = language.toLowerCase();
  return `code.${extensions[name] ?? (shortNames.has(name) ? name : 'txt')}`;
}

/** Returns true if a browser can render the code as a page or an image. */
export const canPreview = (language: string): boolean => /^(?:html?|svg)$/i.test(language);
