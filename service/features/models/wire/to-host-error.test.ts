import { expect, it } from 'vitest';
import { toHostError } from './to-host-error.ts';
import { refusalOf } from './model-error.ts';

const endpoint = { host: 'model.test', model: 'm', apiKey: 'key-of-the-test' };

it.each([
  [{ message: 'Too many words.' }, /Too many words\.$/, undefined],
  [{ error: { fields: ['a'], key: endpoint.apiKey } }, /^[^{}]*$/, '"key":"***"'],
  [{ message: '{"error":{"message":"Out of order."}}' }, /Out of order\.$/, 'Out of order'],
  [{ message: '<html><title>Bad Gateway</title></html>' }, /Bad Gateway$/, '<html>'],
])('a refusal is a sentence with data as details: %j', (payload, sentence, details) => {
  const hostError = toHostError(refusalOf(payload), endpoint);
  expect(hostError.message).toMatch(sentence);
  expect(hostError.message).not.toMatch(/[{}<>]/);
  if (details === undefined) expect(hostError.details).toBeUndefined();
  else expect(hostError.details).toContain(details);
  expect(`${hostError.message}${hostError.details}`).not.toContain(endpoint.apiKey);
});
