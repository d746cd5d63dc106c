import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { pageWarnings } from '../../service/features/plugins/packages/page-warnings.ts';
import { positionAt } from '../../service/features/plugins/packages/field-line.ts';
import { nearest } from '../../service/features/plugins/packages/nearest-match.ts';
import { pageAddresses } from '../bundle/find-bundles.ts';
import { type Finding, warningAt } from './finding.ts';
import { moduleFindings } from './module-findings.ts';
import { scriptFindings } from './script-findings.ts';

/** Finds missing files and blocked scripts of a plugin's pages. */
export async function pageFindings(
  directory: string,
  files: readonly string[],
  {
    made,
    methods,
  }: {
    /** Files that packing creates. */
    made: readonly string[];
    /** Methods of the manifest; null if it cannot be read. */
    methods: readonly string[] | null;
  },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const modules = new Set<string>();
  for (const page of files.filter((path) => /^ui\/.*\.html?$/i.test(path))) {
    const html = await readFile(join(directory, page), 'utf8');
    for (const { path, message } of pageWarnings(page, html)) {
      const line = Number(/:(\d+)$/.exec(path)?.[1] ?? 1);
      findings.push(
        warningAt('page_blocked', { file: page, line, column: 1 }, `The page ${message}.`),
      );
    }
    findings.push(...missingFiles({ page, html, files: [...files, ...made] }));
    for (const path of moduleScripts(page, html)) modules.add(path);
  }
  const scripts = files.filter((path) => /^ui\/(?!plugin-kit\/).*\.m?js$/.test(path));
  for (const path of scripts) {
    const isModule = path.endsWith('.mjs') || modules.has(path);
    const text = await readFile(join(directory, path), 'utf8');
    findings.push(
      ...scriptFindings(path, text, {
        sourceType: isModule || isWrittenAsModule(text) ? 'module' : 'script',
        methods,
      }),
    );
  }
  const noPackages =
    'A page loads files of the package alone: write the page in TypeScript, which is bundled, or copy the package into ui/.';
  const readable = scripts.filter(
    (path) => !findings.some(({ file, code }) => file === path && code === 'script_invalid'),
  );
  const imports = await Promise.all(
    readable.map(async (path) => {
      const text = await readFile(join(directory, path), 'utf8');
      const isModule = path.endsWith('.mjs') || modules.has(path) || isWrittenAsModule(text);
      return isModule ? [path] : [];
    }),
  );
  const input = { directory, files: [...files, ...made], modules: imports.flat(), noPackages };
  return [...findings, ...(await moduleFindings(input))];
}

const isWrittenAsModule = (text: string): boolean => /^\s*(?:import|export)\b/m.test(text);

function* moduleScripts(page: string, html: string): Generator<string> {
  for (const { 0: tag } of html.matchAll(/<script\b[^>]*\btype\s*=\s*["']?module\b[^>]*>/gi)) {
    const source = /\bsrc\s*=\s*["']?([^"'\s>]+)/i.exec(tag)?.[1];
    if (source !== undefined) yield posix.join(posix.dirname(page), source);
  }
}

function missingFiles({
  page,
  html,
  files,
}: {
  page: string;
  html: string;
  files: readonly string[];
}): Finding[] {
  return pageAddresses(html).flatMap(({ address, index }) => {
    if (/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(address)) return [];
    const target = posix.join(posix.dirname(page), decoded(address));
    if (files.includes(target) || /^ui\/(?:plugin-kit|_host)\//.test(target)) return [];
    const near = nearest(target, files);
    const message = `The page asks for ${address}, which is not there. Add ${target}, or correct the address.`;
    const meant = near === undefined ? undefined : posix.relative(posix.dirname(page), near);
    return [
      warningAt('page_file_missing', { file: page, ...positionAt(html, index) }, message, meant),
    ];
  });
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
