import { isDeepStrictEqual } from 'node:util';
import { jsonResult, objectOf, type Tool } from '../../tools/index.ts';

type Test = (left: unknown, right: unknown) => boolean;

const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['equals', (left, right) => isDeepStrictEqual(left, right)],
  ['not_equals', (left, right) => !isDeepStrictEqual(left, right)],
  ['greater', (left, right) => compare(left, right, (difference) => difference > 0)],
  ['greater_or_equal', (left, right) => compare(left, right, (difference) => difference >= 0)],
  ['less', (left, right) => compare(left, right, (difference) => difference < 0)],
  ['less_or_equal', (left, right) => compare(left, right, (difference) => difference <= 0)],
  [
    'contains',
    (left, right) =>
      Array.isArray(left)
        ? left.some((one) => isDeepStrictEqual(one, right))
        : compareTexts(left, right, (text, part) => text.includes(part)),
  ],
  [
    'starts_with',
    (left, right) =>
      Array.isArray(left)
        ? isDeepStrictEqual(left[0], right)
        : compareTexts(left, right, (text, part) => text.startsWith(part)),
  ],
  [
    'ends_with',
    (left, right) =>
      Array.isArray(left)
        ? isDeepStrictEqual(left.at(-1), right)
        : compareTexts(left, right, (text, part) => text.endsWith(part)),
  ],
  ['is_empty', (left) => isEmpty(left)],
  ['is_not_empty', (left) => !isEmpty(left)],
]);

export const operators: readonly string[] = [...tests.keys()];

interface Arguments {
  left?: unknown;
  operator: string;
  right?: unknown;
}

export const condition: Tool = {
  name: 'condition',
  description:
    'Compares two values and answers {value: true} or {value: false}. Numbers in texts count as numbers where sizes are compared; contains looks into texts and lists.',
  inputSchema: {
    type: 'object',
    properties: { left: {}, operator: { enum: operators }, right: {} },
    required: ['operator'],
    additionalProperties: false,
  },
  resultSchema: objectOf({ value: 'boolean' }),
  effect: 'read',
  run: async (call) => jsonResult({ value: holds(call.arguments as unknown as Arguments) }),
};

const holds = ({ left = null, operator, right = null }: Arguments): boolean =>
  tests.get(operator)?.(left, right) ?? false;

/**
 * Compares numbers by size and texts alphabetically; values that cannot be compared are neither
 * more nor less.
 */
function compare(left: unknown, right: unknown, test: (difference: number) => boolean): boolean {
  const [a, b] = [numberIn(left), numberIn(right)];
  if (a !== null && b !== null) return test(a - b);
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  return test(left < right ? -1 : Number(left > right));
}

function numberIn(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

function compareTexts(
  left: unknown,
  right: unknown,
  test: (text: string, part: string) => boolean,
): boolean {
  const part = typeof right === 'number' ? String(right) : right;
  return typeof left === 'string' && typeof part === 'string' && test(left, part);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
