import type en from './en.json';

/** A key of the catalogs' `service` part. */
export type MessageCode = keyof (typeof en)['service'];

/** Strings are never translated: names, and texts of persons, plugins, servers or programs. */
export type Parameter = string | number | Message | readonly Parameter[];

/** A message of the host for a person: a code of the catalogs, and its parameters. */
export interface Message {
  readonly code: MessageCode;
  readonly parameters?: Readonly<Record<string, Parameter>>;
}

/** A message of the host, or a text that is not from the host. */
export type HostText = Message | string;

/**
 * Creates a message; `app/messages.test.ts` compares the parameters of each call with the catalogs.
 */
export const msg = (
  code: MessageCode,
  parameters?: Readonly<Record<string, Parameter>>,
): Message => (parameters === undefined ? { code } : { code, parameters });

/**
 * Returns the message to send next to an English text; undefined for a text that is not from the
 * host.
 */
export const messageOf = (text: HostText): Message | undefined =>
  isMessage(text) ? text : undefined;

export const isMessage = (text: HostText): text is Message => typeof text !== 'string';
