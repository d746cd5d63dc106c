import { median, medianOfPairs } from './measure.ts';

export type Unit = 'ms' | 'MiB' | '/s';

/**
 * Target of a comparison: at most or at least a multiple of the other side, at most some ms or MiB
 * more, or at most a fixed number of ms.
 */
export type Target =
  | { most: number }
  | { least: number }
  | { addedMs: number }
  | { addedMiB: number }
  | { mostMs: number };

/** Samples of two sides for one row. */
export interface Comparison {
  name: string;
  unit: Unit;
  ours: readonly number[];
  /** Samples of the same rounds. A peer is another program that does the same job. */
  other: readonly number[];
  against: 'bare' | 'peer';
  target: Target;
}

/** Formatted cells of one row. */
export interface Row {
  name: string;
  ours: string;
  bare: string;
  peer: string;
  ratio: string;
  target: string;
  verdict: string;
}

export function compare({ name, unit, ours, other, against, target }: Comparison): Row {
  const isAdded = 'addedMs' in target || 'addedMiB' in target;
  const score = medianOfPairs(ours, other, (one, two) => (isAdded ? one - two : one / two));
  const otherText = quantity(median(other), unit);
  return {
    name,
    ours: quantity(median(ours), unit),
    bare: against === 'bare' ? otherText : '',
    peer: against === 'peer' ? otherText : '',
    ratio: isAdded ? `+${score.toFixed(2)} ${unit}` : `${score.toFixed(2)}x`,
    target: describe(target),
    verdict: isMet('mostMs' in target ? median(ours) : score, target) ? 'ok' : 'miss',
  };
}

/** A row without a comparison. */
export function measured(name: string, ours: string, target: string, isMet: boolean): Row {
  const verdict = isMet ? 'ok' : 'miss';
  return { name, ours, bare: '', peer: '', ratio: '', target, verdict };
}

/** A row that could not be measured here, with the reason. */
export function notMeasured(name: string, target: Target, why: string): Row {
  const blank = { ours: '', bare: '', peer: '', ratio: '' };
  return { name, ...blank, target: describe(target), verdict: why };
}

function isMet(score: number, target: Target): boolean {
  if ('least' in target) return score >= target.least;
  return Object.values(target).every((most: number) => score <= most);
}

function describe(target: Target): string {
  if ('least' in target) return `≥ ${target.least}x`;
  if ('most' in target) return `≤ ${target.most}x`;
  if ('mostMs' in target) return `≤ ${target.mostMs} ms`;
  return 'addedMs' in target ? `≤ +${target.addedMs.toFixed(1)} ms` : `≤ +${target.addedMiB} MiB`;
}

function quantity(value: number, unit: Unit): string {
  if (unit === '/s') return `${Math.round(value)}/s`;
  return `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`;
}

const columns: (keyof Row)[] = ['name', 'ours', 'bare', 'peer', 'ratio', 'target', 'verdict'];

/** Formats a Markdown table that is also readable in a terminal. */
export function tableOf(rows: readonly Row[]): string {
  const head = Object.fromEntries(columns.map((column) => [column, column])) as unknown as Row;
  const widths = columns.map((column) =>
    Math.max(3, ...[head, ...rows].map((row) => row[column].length)),
  );
  const line = (row: Row): string =>
    `| ${columns.map((column, at) => row[column].padEnd(widths[at]!)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
