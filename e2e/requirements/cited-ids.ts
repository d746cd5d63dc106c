import { testNames } from './test-names.ts';

const bracket = /\[\s*([A-Z]+-\d+(?:\s*,\s*[A-Z]+-\d+)*)\s*\]/g;

/**
 * Returns the ids that a test file cites as `[AREA-NN]` or `[AREA-NN, AREA-NN]` in the names of its
 * tests. Comments and other strings do not count.
 */
export function citedIds(fileName: string, source: string): string[] {
  return [...new Set(testNames(fileName, source).flatMap(idsIn))];
}

function idsIn(name: string): string[] {
  return [...name.matchAll(bracket)].flatMap((found) => found[1]?.split(/\s*,\s*/) ?? []);
}
