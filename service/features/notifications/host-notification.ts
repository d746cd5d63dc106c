import type {
  NewNotification,
  NotificationCode,
  NotificationParameters,
} from '../../contract/index.ts';
import { textOf } from '../../messages/index.ts';
import { notificationTexts } from './notification-messages.ts';

/**
 * A notification of the host itself, with texts in every language. Created only by
 * `hostNotification`.
 */
export interface HostNotification extends NewNotification {
  code: NotificationCode;
  parameters: Record<string, unknown>;
}

const maxTitle = 200;
const maxBody = 4_000;

/** Creates a notification in English, with the parameters for other languages. */
export function hostNotification<C extends NotificationCode>(
  code: C,
  parameters: NotificationParameters[C],
  more: Pick<NewNotification, 'level' | 'link'> & { source?: 'host' | 'agent' },
): HostNotification {
  const shortParameters = shortened(parameters);
  const { title, body } = notificationTexts(code, shortParameters);
  return {
    source: 'host',
    ...more,
    code,
    parameters: { ...shortParameters },
    title: plain(textOf(title), maxTitle),
    body: plain(textOf(body).trim(), maxBody) || null,
  };
}

/** Messages and lists among the parameters contain foreign texts, too. */
function shortened<P extends object>(parameters: P): P {
  const text = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? plain(value, maxBody) : value;
  return JSON.parse(JSON.stringify(parameters, text)) as P;
}

/** Cuts text to a length that every database can store. */
const plain = (text: string, most: number): string =>
  text
    .slice(0, most + 1)
    .replaceAll('\0', '')
    .slice(0, most)
    .toWellFormed();
