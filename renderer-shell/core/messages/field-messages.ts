import { hostText } from './problem-texts.ts';
import { translator } from './translator.ts';

/** What the host says of fields, and the words for it; groups in the order of their values. */
const translations: [pattern: RegExp, key: string, ...values: string[]][] = [
  [/expected (\w+), received undefined$/, 'wrong.missing'],
  [/expected (\w+), received (\w+)$/, 'wrong.kind', 'expected'],
  [/^Too small: expected (?:string|array) to have >=1 /, 'wrong.empty'],
  [/^must not be empty/, 'wrong.empty'],
  [/^Too small: expected string to have >=(\d+) /, 'wrong.tooShort', 'limit'],
  [/^Too big: expected string to have <=(\d+) /, 'wrong.tooLong', 'limit'],
  [/^must be at most (\d+) characters$/, 'wrong.tooLong', 'limit'],
  [/^Too big: expected array to have <=(\d+) /, 'wrong.tooMany', 'limit'],
  [/^Too small: expected \w+ to be >=?(-?[\d.]+)$/, 'wrong.least', 'limit'],
  [/^Too big: expected \w+ to be <=?(-?[\d.]+)$/, 'wrong.most', 'limit'],
  [/^must be (?:a number )?from (-?[\d.]+) to (-?[\d.]+)$/, 'wrong.range', 'least', 'most'],
  [/^Invalid option: expected one of (.+)$/, 'wrong.option', 'options'],
  [/^Unrecognized keys?: (.+)$/, 'wrong.unknown', 'names'],
  [/^Invalid URL$|^must be an http or https address/, 'wrong.address'],
  [/^must be letters, digits, - and single _, and begin/, 'wrong.serverName'],
  [/^must be 1 to (\d+) letters, digits/, 'wrong.plainName', 'limit'],
  [/^must be a name of a header$/, 'wrong.headerName'],
  [/^must be a value of a header$/, 'wrong.headerValue'],
  [/^must hold no NUL character$/, 'wrong.nul'],
  [/^must be a number$/, 'wrong.number'],
  [/^must be plain text$/, 'wrong.text'],
];

/** A message of the host about a field, in the language of the shell; one that is not known stays. */
export function fieldMessage(message: string): string {
  if (translator.language === 'en') return message;
  for (const [pattern, key, ...names] of translations) {
    const found = pattern.exec(message);
    if (!found) continue;
    const values = Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? '']));
    const { expected } = values;
    if (expected !== undefined) values['expected'] = typeName(expected);
    return translator.t(key, values);
  }
  return hostText(message);
}

/** Translates the name of a JSON type; returns any other name unchanged. */
function typeName(type: string): string {
  const key = `wrong.type.${type}`;
  const name = translator.t(key);
  return name === key ? type : name;
}
