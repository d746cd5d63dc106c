import { type NamedTool, namesOf } from './matched-names.ts';
import { type ReadMatcher, readMatcher } from './read-matcher.ts';
import type { Message } from '../../../messages/index.ts';

const maxRemembered = 200;
const remembered = new Map<string, ReadMatcher>();

/**
 * Returns true if a hook with this matcher fires for a tool of the host, in linear time.
 * `toolArguments` are needed for matchers that compare `tool_input.<field>`. An undecidable matcher
 * (arguments missing or very long) counts as a match: the hook receives the call and decides. An
 * invalid matcher matches nothing; `parseHooks` marks its hook as unsupported.
 */
export function matchesTool(
  matcher: string | null,
  tool: NamedTool,
  toolArguments?: Readonly<Record<string, unknown>>,
): boolean {
  const read = rememberedMatcher(matcher ?? '');
  if ('problem' in read) return false;
  return read.judge({ names: namesOf(tool, matcher ?? ''), arguments: toolArguments }) ?? true;
}

/**
 * The names by which a matcher matches a tool, the host's own first; empty if it does not match.
 */
export function namesMatched(
  matcher: string | null,
  tool: NamedTool,
  toolArguments?: Readonly<Record<string, unknown>>,
): string[] {
  if (!matchesTool(matcher, tool, toolArguments)) return [];
  const read = rememberedMatcher(matcher ?? '');
  if ('problem' in read) return [];
  return namesOf(tool, matcher ?? '').filter(
    (name) => read.judge({ names: [name], arguments: toolArguments }) ?? true,
  );
}

/** The error of a matcher, as a sentence; null if it is valid. */
export function matcherProblem(matcher: string | null): Message | null {
  const read = rememberedMatcher(matcher ?? '');
  return 'problem' in read ? read.problem : null;
}

function rememberedMatcher(matcher: string): ReadMatcher {
  const cached = remembered.get(matcher);
  if (cached !== undefined) return cached;
  if (remembered.size >= maxRemembered) remembered.clear();
  const read = readMatcher(matcher);
  remembered.set(matcher, read);
  return read;
}
