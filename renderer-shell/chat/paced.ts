import type { Turn } from './turn.ts';

/** Characters that are put on the page in one step without its frame getting long. */
const step = 800;
/** Of what waits at least this part is shown in a step, so that nobody waits long for what is there. */
const share = 0.04;

/** What of `now` is shown after `shown`: of a text that came all at once only as much as a frame can take. */
export function paced(shown: Turn, now: Turn): Turn {
  const last = now.parts.at(-1);
  if (last === undefined || last.type === 'tool') return now;
  const before = shown.parts[now.parts.length - 1];
  const from = before?.type === last.type ? before.text.length : 0;
  const waits = last.text.length - from;
  const most = from + Math.ceil(Math.max(step, waits * share));
  if (last.text.length <= most) return now;
  const line = last.text.lastIndexOf('\n', most) + 1;
  const end = line > from ? line : wholeCharacter(last.text, most);
  return { ...now, parts: now.parts.with(-1, { ...last, text: last.text.slice(0, end) }) };
}

/** Where no character is cut in two. */
const wholeCharacter = (text: string, at: number): number =>
  /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) ? at + 1 : at;
