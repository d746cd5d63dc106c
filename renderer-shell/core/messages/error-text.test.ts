import { beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../service/client/index.ts';
import type { Problem } from '../../../service/contract/problem.ts';
import { AgentPlan } from '../../../service/contract/index.ts';
import { msg, textOf } from '../../../service/messages/index.ts';
import { errorText } from './error-text.ts';
import { hostMessage } from './host-message.ts';
import { issueProblems } from './issue-problems.ts';
import { setLanguage } from './translator.ts';

beforeEach(() => setLanguage('en'));

const failure = (problem: Pick<Problem, 'code' | 'detail'> & Partial<Problem>) =>
  new ServiceError({ type: 'about:blank', title: 'Error', status: 400, ...problem });

const field = (path: string, text: ReturnType<typeof msg>) => ({
  path,
  message: textOf(text),
  text,
});

const refused = failure({
  code: 'invalid_body',
  detail: 'The request is not valid: title is required.',
  errors: [
    field('title', msg('field.required')),
    field('steps.2.tool', msg('field.empty')),
    field('odd.path', msg('field.wrongType', { expected: msg('field.typeText') })),
  ],
});

describe('errors of fields', () => {
  it('use their labels, in the language of the page', async () => {
    expect(errorText(refused)).toEqual({
      text: 'Some fields are invalid.',
      details: [
        { path: '', message: 'Title is required.' },
        { path: '', message: 'Step 3, Tool cannot be empty.' },
        { path: '', message: 'odd.path must be text.' },
      ],
    });
    await setLanguage('zh-CN');
    expect(errorText(refused)).toEqual({
      text: '有些字段无效。',
      details: [
        { path: '', message: '标题：必填。' },
        { path: '', message: '步骤 3, 工具：不能为空。' },
        { path: '', message: 'odd.path：必须是文本。' },
      ],
    });
  });

  it('name a field inside another one by both, counted from 1', async () => {
    const nested = failure({
      code: 'invalid_body',
      detail: 'The request is not valid.',
      errors: [
        field('hooks.1.command', msg('field.required')),
        field('oauth.callbackPort', msg('field.port')),
        field('env.MODEL', msg('field.noNul')),
      ],
    });
    expect(errorText(nested).details.map(({ message }) => message)).toEqual([
      'Hooks, 2, Command is required.',
      'Callback port must be from 1 to 65535.',
      'Environment, MODEL cannot contain NUL characters.',
    ]);
    await setLanguage('de');
    expect(errorText(nested).details[1]?.message).toMatch(/^Callback-Port /);
  });

  it('have the same format if the page found them', async () => {
    const value = { steps: [{ title: 'a', tool: '' }] };
    const [problem] = issueProblems(AgentPlan.safeParse(value).error?.issues ?? [], value);
    expect(problem).toMatchObject({ path: 'steps.0.tool', message: 'cannot be empty' });
    await setLanguage('zh-CN');
    expect(hostMessage(problem?.text, problem?.message ?? '')).toBe('不能为空');
  });
});

describe('a failure', () => {
  it('is localized if it comes from the host, and unchanged otherwise', async () => {
    const disk = failure({ code: 'disk_full', detail: 'x', message: msg('disk.full') });
    const plugin = failure({ code: 'tool_failed', detail: 'Row 7 is missing' });
    await setLanguage('zh-CN');
    expect(errorText(disk).text).toMatch(/磁盘已满/);
    expect(errorText(plugin)).toEqual({ text: 'Row 7 is missing', details: [] });
    const newer = failure({
      code: 'of_tomorrow',
      detail: 'Something new.',
      message: { code: 'tomorrow.new' },
    });
    expect(errorText(newer).text).toBe('Something new.');
  });

  it('of a worker has its last lines as details', async () => {
    const ended = msg('plugins.workerExited', { name: 'Words', code: '3' });
    const hint = msg('plugins.hintStderr', { lines: 'first\nlast' });
    const message = msg('plugins.withHint', { message: ended, hint });
    const crashed = failure({ code: 'worker_crashed', detail: textOf(message), message });
    expect(errorText(crashed)).toEqual({
      text: 'The worker of Words ended with exit code 3.',
      details: [],
      data: 'The worker of Words ended with exit code 3.\nIts last lines on stderr:\nfirst\nlast',
    });
    await setLanguage('zh-CN');
    expect(errorText(crashed)).toMatchObject({
      text: 'Words 的工作进程以退出代码 3 结束。',
      data: 'Words 的工作进程以退出代码 3 结束。\n它在 stderr 上的最后几行：\nfirst\nlast',
    });
  });

  it('with several lines has all of them as details', () => {
    const stack = 'Cannot read the file\n  at read (file.js:1)';
    expect(errorText(failure({ code: 'tool_failed', detail: stack }))).toEqual({
      text: 'Cannot read the file',
      details: [],
      data: stack,
    });
  });

  it('of the connection has a text of the page', async () => {
    const lost = failure({ code: 'unexpected_answer', detail: 'x', status: 502 });
    expect(errorText(lost).text).toBe('The host returned an unexpected response (502). Try again.');
    await setLanguage('zh-CN');
    expect(errorText(lost).text).toMatch(/502/);
    expect(errorText(lost).text).toMatch(/\p{Script=Han}/u);
  });
});
