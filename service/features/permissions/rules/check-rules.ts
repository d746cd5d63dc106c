import { InvalidRule, parseRule } from './parse-rule.ts';
import type { Rule, RuleProblem } from './rule.ts';

/** Reads a list of rules, one a line. A line that is no rule is a problem, never silently skipped. */
export function checkRules(text: string): { rules: Rule[]; problems: RuleProblem[] } {
  const rules: Rule[] = [];
  const problems: RuleProblem[] = [];
  text.split(/\r?\n/).forEach((line, index) => {
    try {
      const rule = parseRule(line);
      if (rule !== null) rules.push(rule);
    } catch (error) {
      if (!(error instanceof InvalidRule)) throw error;
      problems.push({ line: index + 1, text: line.trim(), message: error.reason });
    }
  });
  return { rules, problems };
}
