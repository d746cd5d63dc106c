import { IntlMessageFormat } from 'intl-messageformat';

/** Messages by code, in ICU message format. */
export type Texts = Readonly<Record<string, string>>;

/** A message from a serialized form; its `code` may be from another version of the host. */
export interface TravellingMessage {
  code: string;
  parameters?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Returns the text of a message; null if the catalog has no such code, or the parameters do not
 * fit.
 */
export type Format = (message: TravellingMessage) => string | null;

/** Code of the message that joins the entries of a list parameter. */
const separatorCode = 'list.separator';
/** The host never nests messages deeper. */
const maxDepth = 8;

const isMessage = (value: unknown): value is TravellingMessage =>
  typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string';

/**
 * Returns a formatter for a catalog. `language` is the tag of the catalog, which determines the
 * plural forms.
 */
export function formatterOf(texts: Texts, language: string): Format {
  const compiled = new Map<string, IntlMessageFormat>();

  function compile(code: string): IntlMessageFormat | null {
    const existing = compiled.get(code);
    if (existing) return existing;
    const text = Object.hasOwn(texts, code) ? texts[code] : undefined;
    if (text === undefined) return null;
    const message = new IntlMessageFormat(text, language, undefined, { ignoreTag: true });
    compiled.set(code, message);
    return message;
  }

  function valueOf(parameter: unknown, depth: number): string | number {
    if (typeof parameter === 'string' || typeof parameter === 'number') return parameter;
    if (Array.isArray(parameter))
      return parameter.map((one) => valueOf(one, depth)).join(texts[separatorCode]);
    const text = isMessage(parameter) ? formatAt(parameter, depth + 1) : null;
    if (text === null) throw new TypeError('The parameter of a message cannot be shown');
    return text;
  }

  function formatAt({ code, parameters = {} }: TravellingMessage, depth: number): string | null {
    const message = depth > maxDepth ? null : compile(code);
    if (message === null) return null;
    const values = Object.entries(parameters).map(([name, parameter]) => [
      name,
      valueOf(parameter, depth),
    ]);
    return String(message.format(Object.fromEntries(values) as Record<string, string | number>));
  }

  return (message) => {
    try {
      return formatAt(message, 0);
    } catch {
      return null;
    }
  };
}
