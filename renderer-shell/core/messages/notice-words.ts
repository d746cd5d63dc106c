import type { Notification, RunDetails } from '../../../service/contract/index.ts';
import {
  failureText,
  noticeIn,
  type RunFailure,
  type RunTally,
  tallyText,
} from '../../../service/contract/index.ts';
import { hostText, problemText } from './problem-texts.ts';
import { words } from './words.ts';

const inEnglish = (): boolean => words.language === 'en';

/** Why, as far as there are words for it: by the sentence of the host, else by the code of a problem. */
const reasonOf = (code: unknown, reason: string): string =>
  typeof code === 'string' ? problemText(code, reason) : hostText(reason);

/** What a notification says, in the language of the shell where it is a notice of the host's own. */
export function noticeWords(
  notification: Pick<Notification, 'title' | 'body' | 'code' | 'parameters'>,
): Pick<Notification, 'title' | 'body'> {
  const code = notification.parameters?.['code'];
  return noticeIn(notification, words.language, (reason) => reasonOf(code, reason));
}

/** What a run came to: the host's own words in English, else made from what it tells of its end. */
export function runEndWords({ plan, summary, error, events }: RunDetails): string | undefined {
  const said = error ?? summary;
  if (inEnglish()) return said;
  const { tally, failure, code } = (events.at(-1)?.data ?? {}) as {
    tally?: RunTally;
    failure?: RunFailure;
    code?: string;
  };
  if (tally === undefined) return said === undefined ? said : reasonOf(code, said);
  const first = failure
    ? failureText({ ...failure, reason: hostText(failure.reason) }, words.language)
    : (plan?.summary ?? '');
  return [first, tallyText(tally, words.language)].filter(Boolean).join(' ');
}
