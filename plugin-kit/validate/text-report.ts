import { relative } from 'node:path';
import type { Finding, PluginFindings } from './finding.ts';

/**
 * Formats one finding per line in the syntax that editors recognize: `manifest.json:3:5: error …`.
 */
export function textReport(plugins: readonly PluginFindings[]): string[] {
  return plugins.flatMap(({ directory, id, findings }) => {
    const folder = relative(process.cwd(), directory) || '.';
    const title = id === null ? folder : `${id} (${folder})`;
    if (findings.length === 0) return [`${title}: nothing to say`];
    return [`${title}: ${counted(findings)}`, ...findings.map((one) => `  ${lineOf(one, folder)}`)];
  });
}

function counted(findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  const part = (count: number, word: string): string[] =>
    count === 0 ? [] : [`${String(count)} ${word}${count === 1 ? '' : 's'}`];
  return [...part(errors, 'error'), ...part(warnings, 'warning')].join(', ');
}

function lineOf(
  { severity, code, file, line, column, message, suggestion }: Finding,
  folder: string,
): string {
  const path = file === null ? '' : folder === '.' ? file : `${folder}/${file}`;
  const position = [path, line, column].filter((part) => part !== null && part !== '').join(':');
  const hint = suggestion === undefined ? '' : ` Did you mean “${suggestion}”?`;
  const text = message.replaceAll('\n', '\n    ');
  return `${position === '' ? '' : `${position}: `}${severity}: ${text}${hint} [${code}]`;
}
