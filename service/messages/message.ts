import type en from './en.json';

/** A key of the catalogs' `service` part. */
export type MessageCode = keyof (typeof en)['service'];

/** A string is what a person, a plugin, a server or a program said or is called: it is never translated. */
export type Parameter = string | number | Message | readonly Parameter[];

/** A message of the host for a person: a code of the catalogs, and its parameters. */
export interface Message {
  readonly code: MessageCode;
  readonly parameters?: Readonly<Record<string, Parameter>>;
}

/** A message of the host, or what others said. */
export type HostText = Message | string;

/** Returns the message; `app/messages.test.ts` compares the parameters of each call with the catalogs. */
export const msg = (
  code: MessageCode,
  parameters?: Readonly<Record<string, Parameter>>,
): Message => (parameters === undefined ? { code } : { code, parameters });

/** The message that travels beside an English text; undefined for what others said. */
export const messageOf = (text: HostText): Message | undefined =>
  isMessage(text) ? text : undefined;

export const isMessage = (text: HostText): text is Message => typeof text !== 'string';
