const named: Record<string, string> = {
  a: '\u0007',
  b: '\b',
  e: '\u001B',
  E: '\u001B',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

const escape =
  /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g;

/** Decodes the text between the quotes of `$'…'`. */
export function ansiText(text: string): string {
  return text.replaceAll(escape, (whole: string, ...groups: (string | undefined)[]) => {
    const [hex, short, long, octal, control, letter] = groups;
    const code = hex ?? short ?? long;
    if (code !== undefined) return character(Number.parseInt(code, 16));
    if (octal !== undefined) return character(Number.parseInt(octal, 8) & 255);
    if (control !== undefined) return character((control.codePointAt(0) ?? 0) & 31);
    return named[letter ?? ''] ?? whole;
  });
}

function character(code: number): string {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\uFFFD';
}
