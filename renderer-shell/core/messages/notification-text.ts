import type { Notification, RunSummary } from '../../../service/contract/index.ts';
import { messageOrOriginal } from './host-message.ts';

type Texts = Pick<Notification, 'title' | 'body'>;

/** Title and body of a notification; the host's own are in the language of the shell. */
export const notificationText = ({
  title,
  body,
  titleMessage,
  bodyMessage,
}: Texts & Pick<Notification, 'titleMessage' | 'bodyMessage'>): Texts => ({
  title: messageOrOriginal(titleMessage, title),
  body: body === null ? null : messageOrOriginal(bodyMessage, body),
});

/** How a run ended: why it failed, else what it did. */
export function runOutcomeText(run: RunSummary): string | undefined {
  const { summary, summaryMessage, error, errorMessage } = run;
  if (error !== undefined) return messageOrOriginal(errorMessage, error);
  return summary === undefined ? undefined : messageOrOriginal(summaryMessage, summary);
}
