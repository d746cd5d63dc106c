import { allowsText } from '../rules/command-pattern.ts';
import { escapeGlob } from '../rules/glob.ts';
import { parseRule } from '../rules/parse-rule.ts';
import { programName } from '../shell/program-name.ts';
import type { Segment, Word } from '../shell/segment.ts';
import { interpreterOf } from '../shell/interpreters.ts';
import { shells } from '../shell/wrappers.ts';
import { type Facts, hostOf } from './call.ts';
import { mayBeGranted } from './match.ts';

/** People do not read longer rules before they agree. */
const maxRuleCharacters = 1_000;

/** Programs that only display something: any call of them is like the one asked about. */
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

/** Sub-commands that run the command that follows them. */
const runsAnything = /^(?:run|exec|tool|script|generate|install|bisect|submodule|rebase)$/;

/** Programs for which a rule without further words would allow every program. */
const runsAnyProgram = new Set([
  ...['npx', 'bunx', 'uvx', 'pipx', 'docker', 'podman', 'kubectl', 'deno', 'bun', 'uv', 'ssh'],
  ...shells,
]);

/** Programs whose second word names the script. */
const runsScripts = new Set(['npm', 'pnpm', 'yarn', 'bun']);

/** Returns rules that together allow the call; empty if no rule can. */
export function suggestedRules(facts: Facts): string[] {
  if (facts.command === null) return otherRules(facts);
  const rules: string[] = [];
  const { segments, plain } = facts.command.line;
  if (segments.length === 0 || !plain) return [];
  for (const segment of segments) {
    if (!mayBeGranted(segment)) return [];
    // The rule for the outer command names this one, too.
    if (segment.ranBy !== undefined) continue;
    const text = grantedText(segment);
    if (text === null || text.length > maxRuleCharacters) return [];
    const rule = `Command(${text})`;
    if (!grants(rule, segment)) return [];
    rules.push(rule);
  }
  return [...new Set(rules)];
}

/** Commands that cannot be written as a rule are not suggested. */
function grants(text: string, segment: Segment): boolean {
  const rule = parseRule(text);
  return rule?.kind === 'command' && allowsText(rule.pattern, textOf(segment));
}

const textOf = ({ argv }: Segment): string => argv.map(({ text }) => text).join(' ');

/** Returns the text between the brackets. */
function grantedText(segment: Segment): string | null {
  const [program, ...words] = segment.argv;
  const text = textOf(segment);
  if (program === undefined || /[\r\n]/.test(text)) return null;
  const name = programName(program.value);
  if (program.text === name) {
    if (harmless.has(name)) return `${name}:*`;
    if (words.length === 0 && (runsAnyProgram.has(name) || interpreterOf(name) !== undefined))
      return null;
    const start = subcommandOf(name, words);
    if (start !== null) return `${name} ${start}`;
  }
  return escapeGlob(text);
}

/** Returns the words after the program that say what it does, null if all of them do. */
function subcommandOf(name: string, [first, second]: readonly Word[]): string | null {
  if (first === undefined || !isWord(first.text)) return null;
  if (withSubcommand.has(name)) return runsAnything.test(first.text) ? null : first.text;
  if (!runsScripts.has(name)) return null;
  if (first.text === 'test') return 'test';
  const script = first.text === 'run' && second !== undefined && isWord(second.text);
  return script ? `run ${second.text}` : null;
}

function isWord(text: string): boolean {
  return /^[a-z][\w:.-]*$/i.test(text);
}

function otherRules({ tool, opensAddress, url }: Facts): string[] {
  if (opensAddress) {
    const host = hostOf(url);
    return host === null ? [] : [`WebFetch(domain:${host})`];
  }
  return /^[\w.:-]+$/.test(tool) ? [`Tool(${tool})`] : [];
}
