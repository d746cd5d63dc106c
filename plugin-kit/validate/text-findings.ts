import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { positionAt } from '../../service/features/plugins/packages/field-line.ts';
import { nearest } from '../../service/features/plugins/packages/nearest-match.ts';
import { nodesOf, parseScript } from '../bundle/module-imports.ts';
import { type Finding, warningAt } from './finding.ts';

type Syntax = ReturnType<typeof parseScript>;

interface Source {
  file: string;
  text: string;
}

/** Offsets of the keys by language. */
interface Texts extends Source {
  languages: Map<string, { start: number; keys: Map<string, number> }>;
}

/**
 * Compares the keys of page texts: those in use, those in English, and those in other languages.
 */
export async function textFindings(
  directory: string,
  files: readonly string[],
): Promise<Finding[]> {
  const paths = files.filter((path) => /^ui\/(?!plugin-kit\/).*\.(?:html?|m?[jt]s)$/i.test(path));
  const sources = await Promise.all(
    paths.map(async (file) => ({ file, text: await readFile(join(directory, file), 'utf8') })),
  );
  const [texts, ...others] = sources.flatMap(textsOf);
  // With several text files, a key may belong to any of them.
  if (texts === undefined || others.length > 0) return [];
  const uses = sources.filter(({ file }) => file !== texts.file);
  const isComputed = uses.some(({ text }) => computedKey.test(text));
  return [
    ...languageFindings(texts, isComputed),
    ...useFindings(texts, uses),
    ...(isComputed ? [] : unusedFindings(texts, uses)),
  ];
}

/** A page that computes keys may use any key, and may handle missing ones itself. */
const computedKey = /\btext\(\s*[^'"\s)]/;

function languageFindings(texts: Texts, isComputed: boolean): Finding[] {
  const english = texts.languages.get('en')?.keys ?? new Map<string, number>();
  const others = [...texts.languages].filter(([tag]) => tag !== 'en');
  return others.flatMap(([tag, { start, keys }]) => {
    const missing = [...english.keys()].filter((key) => !keys.has(key));
    const unknown = [...keys].filter(
      ([key]) => !english.has(key) && (!isComputed || nearest(key, missing) !== undefined),
    );
    return [
      ...missing.map((key) => {
        const message = `The language ${tag} has no text ${key}, so people see the English one. Add it.`;
        return warningAt('text_missing', positionIn(texts, start), message);
      }),
      ...unknown.map(([key, at]) => {
        const message = `The text ${key} of the language ${tag} is not there in English. Correct the name, add it to en, or remove it.`;
        return warningAt('text_unknown', positionIn(texts, at), message, nearest(key, missing));
      }),
    ];
  });
}

const attribute = /\sdata-(?:text|placeholder|label)="([^"{}]+)"/g;
const call = /\bPluginPage\.text\(\s*['"]([^'"]+)['"]/g;

function useFindings(texts: Texts, uses: readonly Source[]): Finding[] {
  const keys = [...(texts.languages.get('en')?.keys.keys() ?? [])];
  return uses.flatMap((source) => {
    const pattern = /\.html?$/i.test(source.file) ? attribute : call;
    const unknown = [...source.text.matchAll(pattern)].filter(
      ([, key = '']) => !keys.includes(key),
    );
    return unknown.map(({ 0: whole, 1: key = '', index }) => {
      const message = `The page asks for the text ${key}, which ${texts.file} does not have. Add it there, or correct the name.`;
      const position = positionIn(source, index + whole.lastIndexOf(key));
      return warningAt('text_unknown', position, message, nearest(key, keys));
    });
  });
}

/** Finds texts that the page never uses. */
function unusedFindings(texts: Texts, uses: readonly Source[]): Finding[] {
  const english = [...(texts.languages.get('en')?.keys ?? [])];
  const named = new Set(uses.flatMap(({ text }) => text.match(/[\w$]+/g) ?? []));
  const unused = english.filter(([key]) => /^[\w$]+$/.test(key) && !named.has(key));
  return unused.map(([key, at]) => {
    const message = `The page does not use the text ${key}. Use it, or remove it from all languages.`;
    return warningAt('text_unused', positionIn(texts, at), message);
  });
}

const positionIn = ({ file, text }: Source, at: number) => ({ file, ...positionAt(text, at) });

/** Finds objects such as `{ en: { title: '…' }, 'zh-CN': { … } }`. */
function textsOf({ file, text }: Source): Texts[] {
  if (!/\.m?js$/.test(file)) return [];
  let script: Syntax;
  try {
    script = parseScript(text, 'module');
  } catch {
    // Reported by the check of scripts.
    return [];
  }
  return [...nodesOf(script)].flatMap((node) => {
    const tags = propertiesOf(node);
    if (tags === null || !tags.some(({ name }) => name === 'en')) return [];
    const languages: Texts['languages'] = new Map();
    for (const { name, start, value } of tags) {
      const keys = propertiesOf(value);
      if (keys === null) return [];
      languages.set(name, { start, keys: new Map(keys.map((key) => [key.name, key.start])) });
    }
    return [{ file, text, languages }];
  });
}

interface Property {
  name: string;
  start: number;
  value: Syntax;
}

/** Returns null for anything but an object with literal keys. */
function propertiesOf(node: Syntax): Property[] | null {
  if (node.type !== 'ObjectExpression') return null;
  const properties: Property[] = [];
  for (const property of node['properties'] as Syntax[]) {
    const key = property['key'] as (Syntax & { name?: unknown; value?: unknown }) | undefined;
    if (key === undefined || property['computed'] === true) return null;
    const name = String(key.name ?? key.value);
    properties.push({ name, start: key.start, value: property['value'] as Syntax });
  }
  return properties;
}
