import type {
  ErrorLocation,
  PluginError,
  PluginErrors as ErrorList,
} from '../../../contract/index.ts';
import type { EventLog, LogEvent } from '../../../core/event-log.ts';
import { type HostText, messageOf, textOf } from '../../../messages/index.ts';
import { sourceLocation } from './source-location.ts';

const maxErrors = 100;
const maxMessageCharacters = 8 * 1024;
const stderrLines = 20;
const maxDetailsCharacters = 4 * 1024;

/** The logger name of errors that the page of a plugin reports. */
export const pageLogger = 'page';

interface NewError {
  origin: PluginError['origin'];
  level: PluginError['level'];
  message: HostText;
  details?: string | undefined;
  place?: ErrorLocation | undefined;
}

/**
 * Errors of one plugin, newest first; repeated errors are counted. At most 100 different ones are
 * stored, in memory only.
 */
export class PluginErrors {
  #errors: PluginError[] = [];
  #total = 0;
  #checkedCopy: string | null = null;
  /** Lines that the worker wrote to stderr since its last failure. */
  #stderr: string[] = [];

  readonly #locate: (location: ErrorLocation) => ErrorLocation;

  /** `locate` maps a place in a bundle to the author's source. */
  constructor(log: EventLog, locate: (location: ErrorLocation) => ErrorLocation) {
    this.#locate = locate;
    log.subscribe((event) => this.#takeLogged(event));
  }

  list(): ErrorList {
    return { errors: [...this.#errors], total: this.#total };
  }

  clear(): void {
    this.#errors = [];
    this.#total = 0;
  }

  /** Returns the place in the author's source if there is one. */
  addOfPage(
    reportedLevel: 'WARN' | 'ERROR',
    message: string,
    reported: ErrorLocation | undefined,
  ): ErrorLocation | undefined {
    const level = reportedLevel === 'WARN' ? 'warning' : 'error';
    const location = this.#locationOf(reported ?? sourceLocation(message));
    this.#add({ origin: 'page', level, message, place: location });
    return location;
  }

  /**
   * Records that the worker crashed or did not start. The log may already contain the same error in
   * English.
   */
  addFailure(reason: HostText): void {
    const message = cut(textOf(reason));
    const text = messageOf(reason);
    const details = this.#stderr.splice(0).join('\n').slice(-maxDetailsCharacters);
    const location = this.#locationOf(sourceLocation(details));
    const [newest] = this.#errors;
    if (newest?.origin !== 'worker' || newest.message !== message)
      return this.#add({
        origin: 'worker',
        level: 'error',
        message: reason,
        details,
        place: location,
      });
    this.#errors[0] = { ...newest, ...definedOf({ text, details, place: location }) };
  }

  /**
   * Replaces the warnings of an earlier copy by those of the installed one. `read` is called once
   * for each copy, so that cleared warnings do not come back.
   */
  async check(copy: string, read: () => Promise<NewError[]>): Promise<void> {
    if (this.#checkedCopy === copy) return;
    this.#checkedCopy = copy;
    const isOld = ({ origin }: PluginError): boolean => origin === 'manifest';
    const old = this.#errors.filter(isOld);
    this.#total -= old.reduce((sum, { count }) => sum + count, 0);
    this.#errors = this.#errors.filter((one) => !isOld(one));
    const found = await read();
    for (const one of found.reverse()) this.#add(one);
  }

  #takeLogged({ level, logger, thread, message }: LogEvent): void {
    if (logger === pageLogger) return;
    if (level === 'ERROR')
      this.#add({
        origin: 'worker',
        level: 'error',
        message,
        place: this.#locationOf(sourceLocation(message)),
      });
    else if (logger === null && thread === null) {
      this.#stderr.push(message);
      if (this.#stderr.length > stderrLines) this.#stderr.shift();
    }
  }

  #locationOf(location: ErrorLocation | undefined): ErrorLocation | undefined {
    return location === undefined ? undefined : this.#locate(location);
  }

  #add({ origin, level, message: text, details, place }: NewError): void {
    const at = new Date().toISOString();
    const message = cut(textOf(text));
    const isSame = (one: PluginError): boolean =>
      one.origin === origin && one.level === level && one.message === message;
    const before = this.#errors.find(isSame);
    const error: PluginError = {
      ...(before ?? { origin, level, message, firstAt: at }),
      ...definedOf({ text: messageOf(text), details, place }),
      count: (before?.count ?? 0) + 1,
      lastAt: at,
    };
    this.#errors = [error, ...this.#errors.filter((one) => one !== before)].slice(0, maxErrors);
    this.#total += 1;
  }
}

function definedOf(facts: {
  [K in 'text' | 'details' | 'place']: PluginError[K] | undefined;
}): Partial<PluginError> {
  const isSet = ([, value]: [string, unknown]): boolean => value !== undefined && value !== '';
  return Object.fromEntries(Object.entries(facts).filter(isSet));
}

const cut = (text: string): string =>
  text.length > maxMessageCharacters ? `${text.slice(0, maxMessageCharacters - 1)}…` : text;

export type { NewError };
