import {
  type NewNotification,
  type NotificationCode,
  type NotificationParameters,
  notificationText,
} from '../../contract/index.ts';

/** What the host says by itself: it can be told in every language. Made by `hostNotice` alone. */
export interface HostNotification extends NewNotification {
  code: NotificationCode;
  parameters: Record<string, unknown>;
}

const maxTitle = 200;
const maxBody = 4_000;

/** A notice in English, with what it takes to tell it in another language. */
export function hostNotification<C extends NotificationCode>(
  code: C,
  parameters: NotificationParameters[C],
  more: Pick<NewNotification, 'level' | 'link'> & { source?: 'host' | 'agent' },
): HostNotification {
  const shortParameters = shortened(parameters);
  const { title, body } = notificationText(code, shortParameters, 'en');
  return {
    source: 'host',
    ...more,
    code,
    parameters: { ...shortParameters },
    title: plain(title, maxTitle),
    body: plain(body, maxBody) || null,
  };
}

const shortened = <P extends object>(parameters: P): P =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? plain(value, maxBody) : (value as unknown),
    ]),
  ) as P;

/** What every database can hold. */
const plain = (text: string, most: number): string =>
  text
    .slice(0, most + 1)
    .replaceAll('\0', '')
    .slice(0, most)
    .toWellFormed();
