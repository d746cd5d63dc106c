import { describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startTestHost());

async function explain(body: object): Promise<unknown> {
  const answer = await host.ask('/api/permissions/explain', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  });
  return { status: answer.status, ...(answer.json() as object) };
}

const run = (command: string) => ({ tool: 'execute_command', arguments: { command } });

describe('POST /api/permissions/explain', () => {
  it('uses the rules in the request', async () => {
    const rules = { deny: 'Command(git push)', ask: '', allow: 'Command(git:*)' };
    expect(await explain({ ...run('cd a && git push'), rules })).toEqual({
      status: 200,
      verdict: 'deny',
      floor: false,
      suggestedRules: [],
      problems: [],
      rule: 'Command(git push)',
      segment: 'git push',
      reason: 'The rule Command(git push) denies this: git push',
      reasonMessage: {
        code: 'permissions.ruleDeniesCommand',
        parameters: { rule: 'Command(git push)', command: 'git push' },
      },
    });
  });

  it('gives deny precedence over ask and ask over allow, in any order [PERMISSION-07]', async () => {
    const lists = { deny: 'Command(git push)', ask: 'Command(git)', allow: 'Command(*)' };
    for (const rules of [lists, Object.fromEntries(Object.entries(lists).toReversed())]) {
      expect(await explain({ ...run('git push'), rules })).toMatchObject({ verdict: 'deny' });
      expect(await explain({ ...run('git log'), rules })).toMatchObject({ verdict: 'ask' });
      expect(await explain({ ...run('ls'), rules })).toMatchObject({ verdict: 'allow' });
    }
  });

  it('uses the stored rules and mode if the request has none', async () => {
    await host.client.call(api.settings.put, {
      body: {
        permissionMode: 'full-access',
        permissionRules: { ask: 'Command(npm publish)' },
      },
    });
    expect(await explain(run('npm publish'))).toMatchObject({
      verdict: 'ask',
      rule: 'Command(npm publish)',
      problems: [],
    });
    const rules = { deny: '', ask: 'Command(npm publish)\nnonsense', allow: '' };
    expect(await explain({ ...run('npm publish'), rules })).toMatchObject({
      problems: [{ list: 'ask', line: 2, text: 'nonsense' }],
    });
    expect(await explain(run('npm test'))).toMatchObject({ verdict: 'allow' });
  });

  it('applies deny and ask rules for the tool of a workflow to its unattended runs, but not allow rules', async () => {
    const workflow = 'Tool(run_workflow_7)';
    for (const tool of ['task_submit_workflow', 'task_schedule']) {
      const call = { tool, arguments: { workflowId: '7' }, permissionMode: 'full-access' };
      const own = `Tool(${tool})`;
      for (const [rules, verdict, rule] of [
        [{}, 'allow', undefined],
        [{ deny: workflow, allow: own }, 'deny', workflow],
        [{ ask: workflow, allow: own }, 'ask', workflow],
        [{ ask: own, allow: workflow }, 'ask', own],
        [{ allow: own }, 'allow', own],
      ] as const)
        expect(await explain({ ...call, rules })).toMatchObject({ verdict, ...(rule && { rule }) });
      expect(
        await explain({ ...call, permissionMode: 'ask-for-approval', rules: { allow: workflow } }),
      ).toMatchObject({ verdict: 'ask', suggestedRules: [own] });
      const other = { ...call, arguments: { workflowId: '8' } };
      expect(await explain({ ...other, rules: { deny: workflow } })).toMatchObject({
        verdict: 'allow',
      });
    }
  });

  it('suggests rules that allow the call', async () => {
    const asked = { ...run('npm test && git status'), permissionMode: 'ask-for-approval' };
    const { suggestedRules } = (await explain({ ...asked, rules: {} })) as {
      suggestedRules: string[];
    };
    expect(suggestedRules).toEqual(['Command(npm test)', 'Command(git status)']);
    const granted = await explain({ ...asked, rules: { allow: suggestedRules } });
    expect(granted).toMatchObject({ verdict: 'allow' });
  });

  it('uses the effect, sandbox and platform of the request; the tool does not have to exist', async () => {
    const mode = { permissionMode: 'approve-for-me', rules: {} };
    expect(await explain({ tool: 'nobody_has_it', effect: 'read', ...mode })).toMatchObject({
      verdict: 'allow',
    });
    for (const [sandbox, verdict] of [
      ['full', 'allow'],
      ['reduced', 'ask'],
    ])
      expect(await explain({ ...run('ls'), ...mode, sandbox })).toMatchObject({ verdict });
    expect(await explain({ ...run('del x'), ...mode, platform: 'win32' })).toMatchObject({
      verdict: 'ask',
      floor: true,
    });
  });

  it('refuses an invalid body', async () => {
    for (const body of [{}, { tool: '' }, { tool: 'x', platform: 'beos' }, { tool: 'x', more: 1 }])
      expect(await explain(body)).toMatchObject({ status: 400 });
  });
});
