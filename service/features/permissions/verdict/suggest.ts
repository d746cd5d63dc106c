import { allowsText } from '../rules/command-pattern.ts';
import { escapeGlob } from '../rules/glob.ts';
import { parseRule } from '../rules/parse-rule.ts';
import { programName } from '../shell/program-name.ts';
import type { Segment } from '../shell/segment.ts';
import { type Facts, hostOf } from './call.ts';

/** Longer rules nobody reads before they agree. */
const maxRuleCharacters = 1_000;

/** Programs that only show something: any call of theirs is like the one that was asked about. */
const harmless = new Set([
  ...[
    'ls',
    'pwd',
    'echo',
    'true',
    'false',
    'whoami',
    'id',
    'uname',
    'which',
    'basename',
    'dirname',
  ],
  ...['wc'],
]);

/** Programs whose first word says what they do. */
const withSubcommand = new Set(['git', 'cargo', 'go', 'dotnet']);

/** Sub-commands that run whatever is named behind them. */
const runsAnything = /^(?:run|exec|tool|script|generate|install|bisect|submodule|rebase)$/;

/** Of these the second word says what is run. */
const runsScripts = new Set(['npm', 'pnpm', 'yarn', 'bun']);

/** Rules that together allow the call; none where no rule can. */
export function suggestedRules(facts: Facts): string[] {
  if (facts.command === null) return otherRules(facts);
  const rules: string[] = [];
  const { segments } = facts.command.line;
  if (segments.length === 0) return [];
  for (const segment of segments) {
    if (segment.unsafe !== null || segment.assignments.length > 0) return [];
    const text = grantedText(segment);
    if (text === null || text.length > maxRuleCharacters) return [];
    const rule = `Command(${text})`;
    if (!grants(rule, segment)) return [];
    rules.push(rule);
  }
  return [...new Set(rules)];
}

/** What cannot be written as a rule is not proposed. */
function grants(text: string, segment: Segment): boolean {
  const rule = parseRule(text);
  return rule?.kind === 'command' && allowsText(rule.pattern, segment.text);
}

/** What stands between the brackets. */
function grantedText({ argv, text }: Segment): string | null {
  const [program, first, second] = argv;
  if (program === undefined || /[\r\n]/.test(text)) return null;
  const name = programName(program.value);
  if (program.text !== name) return escapeGlob(text);
  if (harmless.has(name)) return `${name}:*`;
  if (first === undefined || !isWord(first.text)) return escapeGlob(text);
  if (withSubcommand.has(name) && !runsAnything.test(first.text)) return `${name} ${first.text}`;
  if (!runsScripts.has(name)) return escapeGlob(text);
  if (first.text === 'test') return `${name} test`;
  const script = first.text === 'run' && second !== undefined && isWord(second.text);
  return script ? `${name} run ${second.text}` : escapeGlob(text);
}

function isWord(text: string): boolean {
  return /^[a-z][\w:.-]*$/i.test(text);
}

function otherRules({ tool, url }: Facts): string[] {
  if (tool === 'web_fetch') {
    const host = hostOf(url);
    return host === null ? [] : [`WebFetch(domain:${host})`];
  }
  return /^[\w.:-]+$/.test(tool) ? [`Tool(${tool})`] : [];
}
