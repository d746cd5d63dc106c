import { expect, it } from 'vitest';
import { api } from '../../../contract/index.ts';
import { only, startChatHost } from '../../../testing/chat-host.ts';
import { storeSettings } from '../../../testing/store-settings.ts';
import { startTestHost } from '../../../testing/test-host.ts';
import { useForFile } from '../../../testing/use-for-file.ts';

const host = await useForFile(startChatHost());

const stored = () => host.client.call(api.settings.get);

async function put(body: object) {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await host.ask('/api/settings', {
    method: 'PUT',
    headers,
    body: JSON.stringify(body),
  });
  return { status: answer.status, ...(answer.json() as object) };
}

it('an invalid rule is refused, with its list and line', async () => {
  const before = await stored();
  const refused = await put({
    language: 'de',
    permissionRules: {
      deny: '# none of these\nCommand(rm)\nCommand rm',
      ask: 'Effect(reading)',
      allow: 'Tool(web_fetch)',
    },
  });
  expect(refused).toMatchObject({
    status: 422,
    code: 'invalid_rules',
    detail: expect.stringMatching(
      /Line 3 of the list “deny” is not a valid rule \(and 1 more\)/,
    ) as string,
    errors: [
      {
        path: 'permissionRules.deny.3',
        message: expect.stringMatching(/^This is not a valid rule/) as string,
      },
      {
        path: 'permissionRules.ask.1',
        message: expect.stringMatching(/reading is not an effect/) as string,
      },
    ],
  });
  expect(await stored()).toEqual(before);
});

it.each([
  'Command()',
  'command(git)',
  'WebFetch(example.com)',
  'WebFetch(domain:https://example.com/)',
  'Tool(a) # why',
  'Mcp(*)',
])('%s is an invalid rule in every list', async (line) => {
  const before = await stored();
  for (const list of ['deny', 'ask', 'allow'])
    expect(await put({ permissionRules: { [list]: line } })).toMatchObject({
      status: 422,
      code: 'invalid_rules',
      errors: [{ path: `permissionRules.${list}.1` }],
    });
  expect(await stored()).toEqual(before);
});

it('lines with and without a carriage return, comments and empty lines are stored as written', async () => {
  const deny = 'Command(rm)\r\n\r\n# why\r\n  WebFetch(domain:example.com)  ';
  expect(await put({ permissionRules: { deny } })).toMatchObject({ status: 200 });
  expect((await stored()).permissionRules.deny).toBe(deny);
  await put({ permissionRules: { deny: '' } });
});

it('an invalid permanent rule from the user is refused before anything runs, and can be corrected', async () => {
  host.model.script((_request, index) =>
    index === 0
      ? { toolCalls: [{ name: 'notify', arguments: '{"title":"Hello"}' }] }
      : { text: ['Done.'] },
  );
  const messages = [{ role: 'user' as const, content: 'Tell me' }];
  const { streamId, events, ended } = await host.startTurn({ messages });
  await expect.poll(() => only(events, 'approval_requested')).toHaveLength(1);
  const [{ callId } = { callId: '' }] = only(events, 'approval_requested');
  const answer = (rules: string[]) =>
    host.client.call(api.chat.approve, {
      params: { streamId },
      body: { callId: String(callId), decision: 'allow_always', rules },
    });
  for (const rules of [['Tool(notify)', 'notify'], ['Tool(notify)\nTool(*)']])
    await expect(answer(rules)).rejects.toMatchObject({ problem: { code: 'invalid_rules' } });
  expect((await stored()).permissionRules.allow).toBe('');
  expect(only(events, 'approval_decided')).toEqual([]);
  await answer(['Tool(notify)']);
  await ended;
  expect((await stored()).permissionRules.allow).toBe('Tool(notify)');
  expect(only(events, 'tool').at(-1)).toMatchObject({ phase: 'result', success: true });
});

it('invalid lines stored by an earlier release are kept and reported, and block nothing', async () => {
  const first = await startTestHost();
  const { workDirectory, paths } = first;
  await first.stop();
  const permissionRules = { deny: 'Tool(notify)\nno rule', ask: '', allow: 'neither' };
  await storeSettings(paths, { permissionRules });
  const again = await startTestHost({ workDirectory });
  try {
    expect((await again.client.call(api.settings.get)).permissionRules).toEqual(permissionRules);
    const body = { tool: 'notify', arguments: {}, permissionMode: 'full-access' as const };
    expect(await again.client.call(api.permissions.explain, { body })).toMatchObject({
      verdict: 'deny',
      rule: 'Tool(notify)',
      problems: [
        { list: 'deny', line: 2, text: 'no rule' },
        { list: 'allow', line: 1, text: 'neither' },
      ],
    });
    const { missing } = await again.client.call(api.host.diagnostics);
    expect(missing.map(({ why }) => why)).toEqual(
      expect.arrayContaining([
        'Line 2 of the list “deny” is not a valid rule and is ignored: no rule',
        'Line 1 of the list “allow” is not a valid rule and is ignored: neither',
      ]),
    );
    const other = { body: { permissionRules: { ask: 'Effect(write)' }, language: 'de' } };
    expect(await again.client.call(api.settings.put, other)).toMatchObject({
      language: 'de',
      permissionRules: { ...permissionRules, ask: 'Effect(write)' },
    });
  } finally {
    await again.close();
  }
});
