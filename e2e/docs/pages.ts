import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** A fenced block of a page. */
export interface Block {
  /** File and line of its first line. */
  location: string;
  page: string;
  language: string;
  text: string;
  /** The reason why no test runs it, from a comment before it: `<!-- not run: … -->`. */
  notRun: string | null;
}

/** A Markdown page. */
export interface Page {
  /** Relative to the project. */
  file: string;
  text: string;
  blocks: readonly Block[];
}

/**
 * Returns all pages of the documentation: README and other pages in the root, `docs/` and READMEs
 * of folders.
 */
export function docPages(): Page[] {
  const files = ['*.md', 'docs/**/*.md', 'bench/README.md', 'main/testing/stand-in/README.md'];
  return files.flatMap((pattern) => globSync(pattern, { cwd: root }).sort()).map(readPage);
}

function readPage(file: string): Page {
  const text = readFileSync(join(root, file), 'utf8');
  const fence = /(?:^<!-- not run: (.+) -->\n\n?)?^( *)```(\w*)\n([\s\S]*?)^\2```$/gm;
  const blocks = [...text.matchAll(fence)].map((match): Block => {
    const { 1: reason, 2: indent = '', 3: language = '', 4: body = '', index } = match;
    const opening = index + match[0].indexOf('```');
    const line = text.slice(0, opening).split('\n').length + 1;
    return {
      location: `${file}:${line}`,
      page: file,
      language,
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      notRun: reason ?? null,
    };
  });
  return { file, text, blocks };
}

/** A command line as a person would type it, from a shell block. */
export interface Command {
  location: string;
  line: string;
}

/**
 * Returns the commands of a block. Joins lines that end with a backslash and skips comments. If
 * some lines start with `$ `, the others are output.
 */
export function commandsOf({ location, text }: Pick<Block, 'location' | 'text'>): Command[] {
  const lines = text.replaceAll(/\\\n\s*/g, '').split('\n');
  const prompted = lines.filter((line) => line.startsWith('$ '));
  return (prompted.length > 0 ? prompted.map((line) => line.slice(2)) : lines)
    .map((line) => line.replace(/\s+#\s.*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ location, line }));
}

/** A request that a sentence mentions, such as `GET /api/skills`. */
export interface Mention {
  location: string;
  method: string;
  /** Path without its query; starts with `…` if the text gave the first part before. */
  path: string;
  query: readonly string[];
}

export function requestsOf({ file, text }: Page): Mention[] {
  const inSentences = text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) ([/…][^`\s]*)[^`]*`/g);
  const inBlocks = text.matchAll(/^```http\n(GET|POST|PUT|PATCH|DELETE) (\S+)/gm);
  return [...inSentences, ...inBlocks].map(({ 1: method = '', 2: target = '', index }) => {
    const [path = '', query = ''] = target.split('?');
    const names = query.split('&').flatMap((part) => part.split('=')[0] || []);
    const location = `${file}:${text.slice(0, index).split('\n').length}`;
    return { location, method, path, query: names };
  });
}
