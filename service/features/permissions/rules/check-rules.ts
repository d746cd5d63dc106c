import { InvalidRule, parseRule } from './parse-rule.ts';
import type { Rule, RuleProblem } from './rule.ts';

/**
 * Parses a list of rules, one per line. An invalid line becomes a problem; it is never skipped
 * silently.
 */
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
