import { badParams } from './plugin-kit/worker.mjs';
import { limits } from './limits.mjs';

/**
 * Parses `1-3, 7, 10-` into one list of page numbers, from 0, per range.
 * @param {string} text
 * @param {number} count number of pages in the document
 */
export function pageRanges(text, count) {
  const ranges = text.split(/[,;，；]/).map((part) => part.trim());
  return ranges.filter(Boolean).map((part) => {
    const found = /^(\d+)?\s*(-|–)?\s*(\d+)?$/.exec(part);
    const [, from, dash, to] = found ?? [];
    const first = Number(from ?? 1);
    const last = Number(to ?? (dash ? count : first));
    if (found === null || (!from && !to) || first < 1 || first > last || last > count)
      throw badParams(`Write pages from 1 to ${count} as in 1-3, 7, 10-. This is not: ${part}`, {
        reason: 'pages',
        count,
        part,
      });
    return Array.from({ length: last - first + 1 }, (_, index) => first - 1 + index);
  });
}

/** Returns ranges with this number of pages each. */
export function everyPages(every, count) {
  const ranges = [];
  for (let first = 0; first < count && ranges.length <= limits.parts; first += every)
    ranges.push(
      Array.from({ length: Math.min(every, count - first) }, (_, index) => first + index),
    );
  return ranges;
}
