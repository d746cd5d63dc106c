import { allowsText, type CommandPattern, forbidsText } from '../rules/command-pattern.ts';
import { globOf, matchesGlob } from '../rules/glob.ts';
import type { Rule } from '../rules/rule.ts';
import { rulesFor, type RuleList } from '../rules/rule-list.ts';
import { isSetting } from '../shell/bash/program-variables.ts';
import { programName } from '../shell/program-name.ts';
import type { Segment } from '../shell/segment.ts';
import { type Facts, hostOf } from './call.ts';
import { forbidsWords, type Readings } from './readings.ts';

/** A rule that matched a call. */
export interface Match {
  /** As written in the settings. */
  rule: string;
  /** The command that it matched, for a command rule. */
  segment?: string;
}

/** Returns the first rule of a deny or ask list that matches the call. */
export function forbidding(list: RuleList, facts: Facts): Match | null {
  for (const rule of list.others) if (matchesOther(rule, facts, true)) return { rule: rule.text };
  const { segments = [] } = facts.command?.line ?? {};
  for (const [at, segment] of segments.entries()) {
    const readings = facts.command?.readings[at];
    const rule = readings ? forbiddenSegment(list, readings) : null;
    if (rule !== null) return { rule, segment: segment.text };
  }
  return null;
}

/** Returns the rule of a deny or ask list that matches one command. */
export function forbiddenSegment(list: RuleList, readings: Readings): string | null {
  for (const rule of rulesFor(list, readings.program))
    if (forbids(rule.pattern, readings)) return rule.text;
  return null;
}

function forbids(pattern: CommandPattern, readings: Readings): boolean {
  if (forbidsText(pattern, readings.texts)) return true;
  const { words, program } = pattern;
  return words !== null && program !== null && forbidsWords(words, readings.words);
}

/** Returns the rule that allows the whole call. */
export function allowing(list: RuleList, facts: Facts): Match | null {
  const rule = list.others.find((other) => matchesOther(other, facts, false));
  return rule === undefined ? null : { rule: rule.text };
}

/** Returns the rule that allows one command of a line. */
export function allowingSegment(lists: readonly RuleList[], segment: Segment): Match | null {
  return allowingWhere(lists, segment, () => true);
}

/** Returns the rule for the outer command that also names this one. */
export function allowingOuter(lists: readonly RuleList[], { ranBy }: Segment): Match | null {
  if (ranBy === undefined) return null;
  const upTo = { glob: [ranBy.upTo], open: true };
  return allowingWhere(
    lists,
    ranBy.segment,
    ({ glob }) => glob.length === 1 && allowsText(upTo, glob.join('')),
  );
}

function allowingWhere(
  lists: readonly RuleList[],
  segment: Segment,
  isMeant: (pattern: CommandPattern) => boolean,
): Match | null {
  const program = segment.argv[0];
  if (program === undefined) return null;
  const text = segment.argv.map((word) => word.text).join(' ');
  for (const list of lists)
    for (const { pattern, text: rule } of rulesFor(list, programName(program.value)))
      if (allowsText(pattern, text) && isMeant(pattern)) return { rule, segment: segment.text };
  return null;
}

/** Returns true if a rule can allow the command at all. */
export function mayBeGranted({ unsafe, assignments }: Segment): boolean {
  return unsafe === null && assignments.every(isSetting);
}

function matchesOther(rule: Rule, facts: Facts, forbidding: boolean): boolean {
  switch (rule.kind) {
    case 'tool':
      return matchesGlob(globOf(rule.glob), facts.tool);
    case 'effect':
      return rule.effect === facts.effect;
    case 'mcp':
      return facts.mcp !== null && matchesMcp(rule, facts.mcp, forbidding);
    case 'webFetch':
      return matchesHost(rule, hostOf(facts.url));
    case 'command':
      return false;
  }
}

type McpRule = Extract<Rule, { kind: 'mcp' }>;

/**
 * If the server is unknown, an ambiguous name matches deny and ask rules for both splits, and no
 * allow rule.
 */
function matchesMcp(rule: McpRule, mcp: NonNullable<Facts['mcp']>, forbids: boolean): boolean {
  const tool = globOf(rule.tool);
  if (mcp.server !== null) return mcp.server === rule.server && matchesGlob(tool, mcp.rest);
  const start = `${rule.server}__`;
  if (!mcp.rest.startsWith(start)) return forbids && mcp.rest === rule.server;
  const rest = mcp.rest.slice(start.length);
  return matchesGlob(tool, rest) && (forbids || !rest.includes('__'));
}

/** `host` is null for a call that opens no web address. */
export function matchesHost(
  rule: Extract<Rule, { kind: 'webFetch' }>,
  host: string | null,
): boolean {
  if (host === null) return false;
  if (rule.host === '*') return true;
  return (!rule.onlyBelow && host === rule.host) || host.endsWith(`.${rule.host}`);
}
