import { beforeEach, expect, it } from 'vitest';
import { ServiceError } from '../../../service/client/index.ts';
import { msg, textOf } from '../../../service/messages/index.ts';
import { fieldErrors } from './field-errors.ts';
import { setLanguage } from './translator.ts';

beforeEach(() => setLanguage('en'));

const field = (path: string, text: ReturnType<typeof msg>) => ({
  path,
  message: textOf(text),
  text,
});

const refused = new ServiceError({
  type: 'about:blank',
  title: 'Error',
  status: 400,
  code: 'invalid_body',
  detail: 'The request is not valid.',
  errors: [
    field('name', msg('field.required')),
    field('hooks.1.matcher', msg('field.empty')),
    field('models.0', msg('field.empty')),
  ],
});

it('errors of fields are found by the names of the fields, in the language of the page', async () => {
  expect([...fieldErrors(refused)]).toEqual([
    ['name', 'is required'],
    ['matcher', 'cannot be empty'],
    ['models', 'cannot be empty'],
  ]);
  await setLanguage('zh-CN');
  expect(fieldErrors(refused).get('name')).toBe('必填');
});

it('other errors have none', () => {
  expect(fieldErrors(new Error('x')).size).toBe(0);
  expect(fieldErrors(null).size).toBe(0);
});
