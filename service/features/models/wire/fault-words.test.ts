import { expect, it } from 'vitest';
import { worded } from './fault-words.ts';
import { refusalOf } from './model-fault.ts';

const place = { host: 'model.test', model: 'm', apiKey: 'key-of-the-test' };

it.each([
  [{ message: 'Too many words.' }, /Too many words\.$/, undefined],
  [{ error: { fields: ['a'], key: place.apiKey } }, /^[^{}]*$/, '"key":"***"'],
  [{ message: '{"error":{"message":"Out of order."}}' }, /Out of order\.$/, 'Out of order'],
  [{ message: '<html><title>Bad Gateway</title></html>' }, /Bad Gateway$/, '<html>'],
])('a refusal is a sentence, with data beside it: %j', (said, sentence, details) => {
  const fault = worded(refusalOf(said), place);
  expect(fault.message).toMatch(sentence);
  expect(fault.message).not.toMatch(/[{}<>]/);
  if (details === undefined) expect(fault.details).toBeUndefined();
  else expect(fault.details).toContain(details);
  expect(`${fault.message}${fault.details}`).not.toContain(place.apiKey);
});
