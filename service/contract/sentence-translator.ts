/** What a sentence of the host is in another language: by its English text, `{1}`, `{2}` … stand for what it tells. */
export type Sentences = Readonly<Record<string, string>>;

/** A sentence of the host in another language. */
export interface Translated {
  text: string;
  /** Whether there were words for all of it, but for names and what others said. */
  whole: boolean;
}

interface Template {
  /** What stands before, between and behind the placeholders. */
  literals: readonly string[];
  translation: string;
}

interface Match extends Template {
  values: readonly string[];
}

export type SentenceTranslator = (text: string) => Translated;

/** What is longer was not written by the host. */
const maxLength = 4_000;
/** As deep as reasons of reasons go. */
const maxDepth = 6;
const sentenceEnd = /[.!?] (?=[A-Z“])/g;
const maxSentences = 12;
/** A name is not longer. */
const maxName = 300;
const placeholder = /\{\d\}/;

/** Says in the words of a table what the host said in English; what is not known stays. */
export function createSentenceTranslator(sentences: Sentences): SentenceTranslator {
  const whole = new Map(Object.entries(sentences));
  const templates = templatesIn(sentences);
  const templateOf = (text: string): Match | null => matchIn(templates, text);

  /** As one sentence, or as a name and what is said of it, whichever says more. */
  const one = (text: string, depth: number): string | null => {
    const translation = whole.get(text);
    if (translation !== undefined) return translation;
    const match = templateOf(text);
    if (match && match.literals[0] !== '') return filledIn(match, depth);
    const named = ofName(text, depth, lengthOf(match));
    return named ?? (match && filledIn(match, depth));
  };

  const filledIn = ({ translation, values }: Match, depth: number): string =>
    filled(
      translation,
      values.map((value) => inner(value.trim(), depth + 1)),
    );

  const ofName = (text: string, depth: number, least: number): string | null => {
    for (const { index } of text.slice(0, maxName).matchAll(/ /g)) {
      // What ends before it is a sentence, not a name.
      if (/[.!?]/.test(text.charAt(index - 1))) return null;
      const rest = text.slice(index + 1);
      const translation = whole.get(rest);
      const match = translation === undefined ? templateOf(rest) : null;
      if (sureOf(rest) <= least || match?.literals[0] === '') continue;
      const { text: name } = translate(text.slice(0, index), depth + 1);
      return joined(name, translation ?? (match ? filledIn(match, depth) : rest));
    }
    return null;
  };

  /** Of several sentences, as many together as there are words for. */
  const several = (text: string, depth: number): Translated => {
    const heads = headsOf(text);
    if (heads.length > maxSentences) return { text, whole: false };
    for (const head of heads) {
      const translation = one(head, depth);
      if (translation === null) continue;
      const rest = translate(text.slice(head.length).trim(), depth);
      return { text: joined(translation, rest.text), whole: rest.whole };
    }
    const first = heads.at(-1);
    if (first === undefined) return { text, whole: text === '' };
    const rest = translate(text.slice(first.length).trim(), depth);
    return { text: joined(first, rest.text), whole: false };
  };

  const translate = (text: string, depth: number): Translated => {
    if (depth > maxDepth) return { text, whole: false };
    const translation = one(text, depth);
    return translation === null ? several(text, depth) : { text: translation, whole: true };
  };

  /** How much of the text the words for it are sure of. */
  const sureOf = (text: string): number =>
    whole.has(text) ? text.length : lengthOf(templateOf(text));

  /** A reason within a sentence, which may bring the full stop of that sentence. */
  const inner = (text: string, depth: number): string => {
    const translated = translate(text, depth).text;
    const stopless = text.slice(0, -1);
    if (!text.endsWith('.') || sureOf(text) > sureOf(stopless)) return translated;
    const translation = translate(stopless, depth).text;
    return translation === stopless ? translated : `${translation}。`;
  };

  return (text) => (text.length > maxLength ? { text, whole: false } : translate(text, 0));
}

function templatesIn(sentences: Sentences): Template[] {
  return (
    Object.entries(sentences)
      .filter(([text]) => placeholder.test(text))
      .map(([text, translation]): Template => ({ literals: text.split(placeholder), translation }))
      // The one that says most fits best.
      .sort((one, other) => lengthOf(other) - lengthOf(one))
  );
}

function matchIn(templates: readonly Template[], text: string): Match | null {
  for (const template of templates) {
    const values = valuesIn(text, template.literals);
    if (values) return { ...template, values };
  }
  return null;
}

const lengthOf = (template: Template | null): number => template?.literals.join('').length ?? 0;

/** The text up to the end of each of its sentences but the last, the longest first. */
const headsOf = (text: string): string[] =>
  [...text.matchAll(sentenceEnd)].map(({ index }) => text.slice(0, index + 1)).reverse();

/** What stands between the literals; null where the text is another. Without backtracking: texts may be of others. */
function valuesIn(text: string, literals: readonly string[]): string[] | null {
  const [first = '', ...others] = literals;
  if (!text.startsWith(first)) return null;
  const values: string[] = [];
  let from = first.length;
  for (const [index, literal] of others.entries()) {
    const isLast = index === others.length - 1;
    const at = isLast ? text.length - literal.length : text.indexOf(literal, from);
    if (at < from || !text.startsWith(literal, at)) return null;
    const value = text.slice(from, at);
    // Before the last a value is a name or an amount, never a sentence.
    if (!isLast && headsOf(value).length > 0) return null;
    values.push(value);
    from = at + literal.length;
  }
  return values;
}

const wide = /[\p{Script=Han}\u3000-\u303f\uff00-\uffef“”]/u;
const wideSign = /[\u3000-\u303f\uff00-\uffef]/u;

/** Chinese has no space between sentences and beside its own signs; beside a name there is one. */
function joined(one: string, other: string): string {
  if (one === '' || other === '') return one + other;
  const [end, begin] = [one.slice(-1), other.charAt(0)];
  const isClose =
    wideSign.test(end) || wideSign.test(begin) || (wide.test(end) && wide.test(begin));
  return one + (isClose ? '' : ' ') + other;
}

/** The words with the values in their places. Not by `replace` with a text: a value may hold a pattern of it. */
const filled = (translation: string, values: readonly string[]): string =>
  translation
    .replaceAll(/( ?)\{(\d)\}( ?)/g, (_, before: string, position: string, after: string) => {
      const value = values[Number(position) - 1] ?? '';
      const [begin, end] = [value.charAt(0), value.slice(-1)];
      return (wide.test(begin) ? '' : before) + value + (wide.test(end) ? '' : after);
    })
    .trim();
