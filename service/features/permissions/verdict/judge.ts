import type { Grammars } from '../shell/grammars.ts';
import type { Platform } from '../shell/read-command-line.ts';
import type { CommandLine, Segment } from '../shell/segment.ts';
import { ruleList, type RuleList } from '../rules/rule-list.ts';
import { type Facts, factsOf, hostOf, type Mode, type ToolCall } from './call.ts';
import { floorOf, programOnFloor } from './floor.ts';
import { forwardedCommand } from './forwarded-command.ts';
import {
  allowing,
  allowingOuter,
  allowingSegment,
  forbidding,
  type Match,
  mayBeGranted,
} from './match.ts';
import { modeAsks, type Setting } from './mode.ts';
import { suggestedRules } from './suggest.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** The lists of rules, one rule per line. */
export interface RuleTexts {
  deny: string;
  ask: string;
  allow: string;
}

/** The rules, the mode and the platform for the judgement of a call. */
export interface JudgeContext extends Setting {
  rules: RuleTexts;
  /** Rules that the user allowed for the rest of the conversation. */
  sessionRules?: readonly string[];
  platform: Platform;
}

/** The decision about a call, with its reason and the rules that would allow it. */
export interface Verdict {
  verdict: 'allow' | 'ask' | 'deny';
  /** A sentence for people; it names the rule that decided. */
  reason: Message;
  rule?: string;
  /** The command of the line that decided. */
  segment?: string;
  /** True if the command is one that always needs an approval. */
  floor: boolean;
  /** Rules that together allow the call from now on; empty if no rule can. */
  suggestedRules: string[];
}

/**
 * Decides about a tool call, in this order: deny rules, ask rules, the floor of dangerous commands,
 * allow rules, mode. Runs and resolves nothing.
 */
export async function judge(
  call: ToolCall,
  context: JudgeContext,
  grammars: Grammars,
): Promise<Verdict> {
  const facts = await factsOf(call, context.platform, grammars);
  const deny = ruleList(context.rules.deny);
  const ask = ruleList(context.rules.ask);
  const denied = forbidding(deny, facts);
  if (denied !== null) return ruleVerdict('deny', denied);
  if (hasCredentials(facts)) return verdict('deny', msg('permissions.addressHasCredentials'));
  const asked = forbidding(ask, facts);
  if (asked !== null) return ruleVerdict('ask', asked);
  if (facts.asksAPerson) return verdict('ask', msg('permissions.asksAPerson'));
  const fixed = mustAsk(facts, context, [deny, ask]);
  if (fixed !== null) return fixed;
  const allow = [context.rules.allow, (context.sessionRules ?? []).join('\n')].map(ruleList);
  const granted = grantedBy(allow, facts);
  if (granted !== null) return ruleVerdict('allow', granted);
  return byMode(facts, context, allow);
}

function byMode(facts: Facts, context: JudgeContext, allow: readonly RuleList[]): Verdict {
  const reason = modeAsks(facts, context);
  if (reason === null)
    return verdict('allow', msg('permissions.modeAllows', { mode: modeNames[context.mode] }));
  return {
    ...verdict('ask', reason),
    ...ungranted(allow, facts),
    suggestedRules: suggestedRules(facts),
  };
}

const modeNames: Record<Mode, Message> = {
  'ask-for-approval': msg('permissions.modeAskForApproval'),
  'approve-for-me': msg('permissions.modeApproveForMe'),
  'full-access': msg('permissions.modeFullAccess'),
};

function verdict(what: Verdict['verdict'], reason: Message): Verdict {
  return { verdict: what, reason, floor: false, suggestedRules: [] };
}

function ruleVerdict(what: Verdict['verdict'], { rule, segment }: Match): Verdict {
  return segment === undefined
    ? { ...verdict(what, callReason(what, rule)), rule }
    : { ...verdict(what, commandReason(what, rule, segment)), rule, segment };
}

function callReason(what: Verdict['verdict'], rule: string): Message {
  if (what === 'deny') return msg('permissions.ruleDeniesCall', { rule });
  return what === 'ask'
    ? msg('permissions.ruleAsksAboutCall', { rule })
    : msg('permissions.ruleAllowsCall', { rule });
}

function commandReason(what: Verdict['verdict'], rule: string, command: string): Message {
  if (what === 'deny') return msg('permissions.ruleDeniesCommand', { rule, command });
  return what === 'ask'
    ? msg('permissions.ruleAsksAboutCommand', { rule, command })
    : msg('permissions.ruleAllowsCommand', { rule, command });
}

/** Returns the verdict that no allow rule and no mode can override. */
function mustAsk(
  facts: Facts,
  { platform, mode }: JudgeContext,
  forbids: readonly RuleList[],
): Verdict | null {
  const { command } = facts;
  const noRules = forbids.every((list) => list.empty);
  if (facts.opensAddress && hostOf(facts.url) === null && !noRules)
    return verdict('ask', msg('permissions.addressUnreadable'));
  const floor = floorUnder(facts, platform);
  if (floor !== null) {
    const reason = msg('permissions.alwaysAsked', { command: floor });
    return { ...verdict('ask', reason), segment: floor, floor: true };
  }
  return command === null ? null : askAboutUnclear(command.line, { platform, mode }, forbids);
}

/** Returns the verdict on a line that cannot be read completely. */
function askAboutUnclear(
  line: CommandLine,
  { platform, mode }: Pick<JudgeContext, 'platform' | 'mode'>,
  forbids: readonly RuleList[],
): Verdict | null {
  if (line.tooMuch) {
    const reason = line.opaque ?? msg('command.tooLong');
    return verdict('ask', msg('permissions.commandUnchecked', { reason }));
  }
  const handed = forwardedCommand(line, forbids, platform);
  const opaque = handed ?? opacityOf(line);
  if (opaque === null) return null;
  const noCommandRules = forbids.every((list) => list.aboutCommands === 0);
  if (mode === 'full-access' && handed === null && noCommandRules) return null;
  // Without deny and ask rules the mode decides; an allow rule never covers an unclear line.
  const reason = msg('permissions.commandUnclear', { reason: opaque.why });
  const segment = opaque.segment === undefined ? {} : { segment: opaque.segment.text };
  return { ...verdict('ask', reason), ...segment };
}

function floorUnder({ launches, command }: Facts, platform: Platform): string | null {
  const launched = programOnFloor(launches, platform);
  return launched ?? (command && floorOf(command.line, command.text, platform));
}

function opacityOf(line: CommandLine): { why: Message; segment?: Segment } | null {
  if (line.opaque !== null) return { why: line.opaque };
  for (const segment of line.segments)
    if (segment.opaque !== null) return { why: segment.opaque, segment };
  return null;
}

/** Allow rules cover only plain lines, which run exactly as written. */
function grantedBy(lists: readonly RuleList[], facts: Facts): Match | null {
  if (facts.command !== null && !facts.command.line.plain) return null;
  for (const list of lists) {
    const whole = allowing(list, facts);
    if (whole !== null) return whole;
  }
  if (facts.command === null) return null;
  let first: Match | null = null;
  for (const segment of facts.command.line.segments) {
    if (!mayBeGranted(segment)) return null;
    const match = allowingSegment(lists, segment) ?? allowingOuter(lists, segment);
    if (match === null) return null;
    first ??= match;
  }
  return first;
}

/** Returns the first command of the line that no rule allows. */
function ungranted(lists: readonly RuleList[], { command }: Facts): { segment?: string } {
  const segment = command?.line.segments.find(
    (one) => !mayBeGranted(one) || !(allowingSegment(lists, one) ?? allowingOuter(lists, one)),
  );
  return segment === undefined ? {} : { segment: segment.text };
}

function hasCredentials({ url }: Facts): boolean {
  return url !== null && url.username + url.password !== '';
}
