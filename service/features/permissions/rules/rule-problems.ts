import type { WritableSettings } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { checkRules } from './check-rules.ts';
import type { RuleProblem } from './rule.ts';
import { msg } from '../../../messages/index.ts';

type Rules = WritableSettings['permissionRules'];

/** An invalid rule, with the list of the settings that holds it. */
export interface ListedProblem extends RuleProblem {
  list: keyof Rules;
}

const lists = ['deny', 'ask', 'allow'] as const;
const mostErrors = 50;

/** Returns the invalid lines. A missing list has none. */
export const ruleProblems = (rules: Partial<Rules>): ListedProblem[] =>
  lists.flatMap((list) =>
    checkRules(rules[list] ?? '').problems.map((problem) => ({ list, ...problem })),
  );

/** @throws HostError 422 `invalid_rules` that names list and line, which is counted from 1 */
export function requireRules(rules: Partial<Rules>): void {
  const problems = ruleProblems(rules);
  const [first] = problems;
  if (first === undefined) return;
  const errors = problems.slice(0, mostErrors).map((problem) => ({
    path: `permissionRules.${problem.list}.${problem.line}`,
    message: problem.message,
  }));
  const { list, line, message: problem } = first;
  const text = msg('rules.notStored', { list, line, problem, more: problems.length - 1 });
  throw new HostError('unprocessable', 'invalid_rules', text, { errors });
}
