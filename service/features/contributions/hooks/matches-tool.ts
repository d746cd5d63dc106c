import { type ReadMatcher, readMatcher } from './read-matcher.ts';
import { namesOf } from './tool-aliases.ts';

const maxRemembered = 200;
const remembered = new Map<string, ReadMatcher>();

/**
 * Whether a hook with this matcher fires for a tool of the host, in time linear in what is looked at.
 * `toolArguments` are the call's, for matchers that compare `tool_input.<field>`. What cannot be told
 * (they are missing, or very long) counts as a match: the hook gets the call and judges for itself. A
 * matcher that cannot be read matches nothing; `parseHooks` marks its hook as unsupported.
 */
export function matchesTool(
  matcher: string | null,
  tool: string,
  toolArguments?: Readonly<Record<string, unknown>>,
): boolean {
  const read = rememberedMatcher(matcher ?? '');
  if ('problem' in read) return false;
  return read.judge({ names: namesOf(tool, matcher ?? ''), arguments: toolArguments }) ?? true;
}

function rememberedMatcher(matcher: string): ReadMatcher {
  const known = remembered.get(matcher);
  if (known !== undefined) return known;
  if (remembered.size >= maxRemembered) remembered.clear();
  const read = readMatcher(matcher);
  remembered.set(matcher, read);
  return read;
}
