import type { Rule } from '../rules/rule.ts';
import { type RuleList, ruleList } from '../rules/rule-list.ts';
import { hostOf } from './call.ts';
import type { RuleTexts } from './judge.ts';
import { matchesHost } from './match.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** Longer addresses are cut in messages. */
const maxNamed = 500;

/**
 * Returns the reason why a call must not follow a redirect to an address: a rule denies it, or a
 * person would have to be asked. `decided` are the hosts that the call was allowed to open. Null if
 * it may.
 */
export function addressObjection(
  url: URL,
  decided: ReadonlySet<string>,
  rules: Pick<RuleTexts, 'deny' | 'ask'>,
): Message | null {
  const host = hostOf(url);
  const denied = ruleAbout(host, ruleList(rules.deny));
  const address = url.href.slice(0, maxNamed);
  if (denied !== undefined)
    return msg('permissions.ruleDeniesAddress', { rule: denied.text, address });
  if (host !== null && decided.has(host)) return null;
  const asked = ruleAbout(host, ruleList(rules.ask));
  return asked === undefined
    ? null
    : msg('permissions.ruleAsksAboutAddress', { rule: asked.text, address });
}

const ruleAbout = (host: string | null, { others }: RuleList): Rule | undefined =>
  others.find((rule) => rule.kind === 'webFetch' && matchesHost(rule, host));
