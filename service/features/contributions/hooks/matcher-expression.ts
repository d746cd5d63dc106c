import { linearPattern } from './linear-pattern.ts';
import { isFields } from './plugin-hook.ts';

/** The input of a matcher: all names of the tool, and its arguments if they are known. */
export interface JudgedCall {
  names: readonly string[];
  arguments: Readonly<Record<string, unknown>> | undefined;
}

/** Null: undecidable, because the arguments are missing or too long. */
export type Judgement = (call: JudgedCall) => boolean | null;

interface Token {
  kind: 'sign' | 'text' | 'word';
  text: string;
}

const tokenForm =
  /\s*(?:(&&|\|\||==|!=|[!()])|"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|([A-Za-z_][\w.-]*))/y;
const maxLevels = 50;

/** True if a matcher is an expression: it compares `tool` or a field of `tool_input`. */
export function isExpression(matcher: string): boolean {
  return /(?:^|[\s(!])tool(?:_name|_input(?:\.[\w-]+)+)?\s*(?:[=!]=|(?:matches|contains)\s*["'])/.test(
    matcher,
  );
}

/**
 * Parses expressions such as `tool == "Bash" && tool_input.command matches "git (push|reset)"`,
 * with `==`, `!=`, `matches` (anywhere), `contains`, `&&`, `||`, `!` and parentheses. Null if the
 * matcher is not such an expression.
 */
export function readExpression(matcher: string): Judgement | null {
  const tokens = tokensOf(matcher);
  return tokens === null ? null : new Reader(tokens).read();
}

function tokensOf(text: string): Token[] | null {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  tokenForm.lastIndex = 0;
  while (tokenForm.lastIndex < end) {
    const [, sign, double, single, word] = tokenForm.exec(text) ?? [];
    const quoted = double ?? single;
    if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: unescaped(quoted) });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else return null;
  }
  return tokens;
}

/**
 * Only quotes and backslashes are escaped; other sequences (`\.`) belong to regular expressions.
 */
function unescaped(text: string): string {
  return text.replace(/\\(["'\\])/g, '$1');
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #level = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  read(): Judgement | null {
    const judge = this.#either();
    return this.#at === this.#tokens.length ? judge : null;
  }

  #either(): Judgement | null {
    let left = this.#both();
    while (left !== null && this.#takes('||')) left = joined(left, this.#both(), true);
    return left;
  }

  #both(): Judgement | null {
    let left = this.#one();
    while (left !== null && this.#takes('&&')) left = joined(left, this.#one(), false);
    return left;
  }

  #one(): Judgement | null {
    this.#level += 1;
    const judge = this.#level > maxLevels ? null : this.#inner();
    this.#level -= 1;
    return judge;
  }

  #inner(): Judgement | null {
    if (this.#takes('!')) return not(this.#one());
    if (!this.#takes('(')) return this.#comparison();
    const judge = this.#either();
    return this.#takes(')') ? judge : null;
  }

  #comparison(): Judgement | null {
    const [subject, operator, value] = this.#tokens.slice(this.#at, this.#at + 3);
    this.#at += 3;
    if (subject?.kind !== 'word' || operator === undefined || value?.kind !== 'text') return null;
    const check = checkOf(operator.text, value.text);
    const values = valuesOf(subject.text);
    if (check === null || values === null) return null;
    const judge: Judgement = (call) => anyOf(values(call), check);
    return operator.text === '!=' ? not(judge) : judge;
  }

  #takes(sign: string): boolean {
    const token = this.#tokens[this.#at];
    const there = token?.kind === 'sign' && token.text === sign;
    if (there) this.#at += 1;
    return there;
  }
}

function checkOf(operator: string, value: string): ((text: string) => boolean | null) | null {
  if (operator === '==' || operator === '!=') return (text) => text === value;
  if (operator === 'contains') return (text) => text.includes(value);
  return operator === 'matches' ? (linearPattern(value)?.find ?? null) : null;
}

function valuesOf(subject: string): ((call: JudgedCall) => readonly string[] | null) | null {
  if (subject === 'tool' || subject === 'tool_name') return ({ names }) => names;
  const [first, ...path] = subject.split('.');
  if (first !== 'tool_input' || path.length === 0 || path.includes('')) return null;
  return (call) => {
    if (call.arguments === undefined) return null;
    let value: unknown = call.arguments;
    for (const key of path) {
      value = isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    }
    if (value === undefined || value === null) return [];
    return [typeof value === 'string' ? value : JSON.stringify(value)];
  };
}

/** True if any is true; null only if none is true and one is undecidable. */
export function anyOf(
  values: readonly string[] | null,
  check: (text: string) => boolean | null,
): boolean | null {
  if (values === null) return null;
  const found = values.map(check);
  if (found.includes(true)) return true;
  return found.includes(null) ? null : false;
}

function not(judge: Judgement | null): Judgement | null {
  if (judge === null) return null;
  return (call) => {
    const found = judge(call);
    return found === null ? null : !found;
  };
}

/** `decisive` is the value that decides alone: true for `||`, false for `&&`. */
function joined(left: Judgement, right: Judgement | null, decisive: boolean): Judgement | null {
  if (right === null) return null;
  return (call) => {
    const first = left(call);
    if (first === decisive) return decisive;
    const second = right(call);
    if (second === decisive) return decisive;
    return first === null || second === null ? null : !decisive;
  };
}
