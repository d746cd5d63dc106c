import type { Notification, RunSummary } from '../../../service/contract/index.ts';
import { hostMessage } from './host-message.ts';

type Texts = Pick<Notification, 'title' | 'body'>;

/**
 * Returns title and body of a notification; those of the host itself are in the language of the
 * shell.
 */
export const notificationText = ({
  title,
  body,
  titleMessage,
  bodyMessage,
}: Texts & Pick<Notification, 'titleMessage' | 'bodyMessage'>): Texts => ({
  title: hostMessage(titleMessage, title),
  body: body === null ? null : hostMessage(bodyMessage, body),
});

/** Returns the outcome of a run: the error message if it failed, else its summary. */
export function runOutcomeText(run: RunSummary): string | undefined {
  const { summary, summaryMessage, error, errorMessage } = run;
  if (error !== undefined) return hostMessage(errorMessage, error);
  return summary === undefined ? undefined : hostMessage(summaryMessage, summary);
}
