import { checkRules } from './check-rules.ts';
import type { Rule, RuleProblem } from './rule.ts';

const maxCached = 64;

export type CommandRule = Extract<Rule, { kind: 'command' }>;

/** A parsed list of rules, indexed for matching. */
export interface RuleList {
  /** The rules that are not about commands, in their order. */
  others: Rule[];
  /** Rules with a literal program, by its name. */
  byProgram: Map<string, CommandRule[]>;
  /** Rules whose program is a pattern. */
  anyProgram: CommandRule[];
  problems: RuleProblem[];
  empty: boolean;
  /** Number of command rules, including invalid lines. */
  aboutCommands: number;
}

const cache = new Map<string, RuleList>();

/** Parses each text once; the most recently used lists are cached. */
export function ruleList(text: string): RuleList {
  const cached = cache.get(text);
  if (cached !== undefined) {
    cache.delete(text);
    cache.set(text, cached);
    return cached;
  }
  const made = listOf(text);
  cache.set(text, made);
  const [oldest] = cache.keys();
  if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
  return made;
}

function listOf(text: string): RuleList {
  const { rules, problems } = checkRules(text);
  const list: RuleList = {
    others: [],
    byProgram: new Map(),
    anyProgram: [],
    problems,
    empty: rules.length === 0 && problems.length === 0,
    aboutCommands: rules.filter(({ kind }) => kind === 'command').length + problems.length,
  };
  for (const rule of rules) {
    if (rule.kind !== 'command') list.others.push(rule);
    else if (rule.pattern.program === null) list.anyProgram.push(rule);
    else {
      const same = list.byProgram.get(rule.pattern.program);
      if (same) same.push(rule);
      else list.byProgram.set(rule.pattern.program, [rule]);
    }
  }
  return list;
}

/** Yields the rules that can match a program. */
export function* rulesFor(list: RuleList, program: string): Iterable<CommandRule> {
  yield* list.byProgram.get(program) ?? [];
  yield* list.anyProgram;
}
