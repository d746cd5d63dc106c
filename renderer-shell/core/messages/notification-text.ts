import type { Notification, RunDetails } from '../../../service/contract/index.ts';
import {
  failureText,
  localizeNotification,
  type RunFailure,
  type RunTally,
  tallyText,
} from '../../../service/contract/index.ts';
import { hostMessage } from './host-message.ts';
import { hostText, problemText } from './problem-texts.ts';
import { translator } from './translator.ts';

const inEnglish = (): boolean => translator.language === 'en';

/** Why, as far as there are words for it: by the sentence of the host, else by the code of a problem. */
const reasonOf = (code: unknown, reason: string): string =>
  typeof code === 'string' ? problemText(code, reason) : hostText(reason);

/** What a notification says, in the language of the shell where it is a notice of the host's own. */
export function notificationText(
  notification: Pick<Notification, 'title' | 'body' | 'code' | 'parameters'>,
): Pick<Notification, 'title' | 'body'> {
  const code = notification.parameters?.['code'];
  return localizeNotification(notification, translator.language, (reason, message) =>
    message === undefined ? reasonOf(code, reason) : hostMessage(message, reason),
  );
}

/** What a run came to: the host's own words in English, else made from what it tells of its end. */
export function runOutcomeText({ plan, summary, error, events }: RunDetails): string | undefined {
  const message = error ?? summary;
  if (inEnglish()) return message;
  const { tally, failure, code } = (events.at(-1)?.data ?? {}) as {
    tally?: RunTally;
    failure?: RunFailure;
    code?: string;
  };
  if (tally === undefined) return message === undefined ? message : reasonOf(code, message);
  const first = failure
    ? failureText({ ...failure, reason: hostText(failure.reason) }, translator.language)
    : (plan?.summary ?? '');
  return [first, tallyText(tally, translator.language)].filter(Boolean).join(' ');
}
