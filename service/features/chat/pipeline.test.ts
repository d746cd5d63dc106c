import { afterEach, describe, expect, it } from 'vitest';
import { api, type ApprovalRequest } from '../../contract/index.ts';
import { only, startChatHost } from '../../testing/chat-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startChatHost());
afterEach(() => set({}, null));

type Rules = Partial<Record<'deny' | 'ask' | 'allow', string>>;

/** Configures a hook that gives this answer to every call, and the rules after it. */
async function set(rules: Rules, guard: string | null): Promise<void> {
  const hook = { name: 'guard', event: 'pre_tool_use' as const, type: 'command' as const };
  const command = `echo '{"decision":"${guard}","reason":"says the guard"}'`;
  const permissionRules = { deny: '', ask: '', allow: '', ...rules };
  const hooks = guard === null ? [] : [{ ...hook, command }];
  await host.client.call(api.settings.put, { body: { permissionRules, hooks } });
}

interface Outcome {
  ran: boolean;
  output: string;
  asked?: Pick<ApprovalRequest, 'reason' | 'rule' | 'suggestedRules'>;
}

/** Runs one command of the model; the user rejects approval requests. */
async function outcome(): Promise<Outcome> {
  const call = { name: 'execute_command', arguments: '{"command":"npm --version"}' };
  host.model.requests.length = 0;
  host.model.script((_, index) => (index === 0 ? { toolCalls: [call] } : { text: ['Done.'] }));
  const turn = await host.startTurn('go');
  const asked = (): ApprovalRequest | undefined =>
    only(turn.events, 'approval_requested')[0] as unknown as ApprovalRequest | undefined;
  const isOver = turn.ended.then(() => true);
  await expect
    .poll(
      async () => asked() !== undefined || (await Promise.race([isOver, Promise.resolve(false)])),
    )
    .toBe(true);
  const request = asked();
  if (request !== undefined) {
    const body = { callId: request.callId, decision: 'reject' as const };
    await host.client.call(api.chat.approve, { params: { streamId: turn.streamId }, body });
  }
  await turn.ended;
  const result = only(turn.events, 'tool').find(({ phase }) => phase === 'result');
  return {
    ran: result?.['success'] === true,
    output: String(result?.['output']),
    ...(request ? { asked: request } : {}),
  };
}

const deny = 'Command(npm --version)';
const ask = 'Command(npm:*)';
const allow = 'Command(*)';

describe('a call is judged in a fixed order [PERMISSION-06]', () => {
  it('hooks first: no rule allows a call that a hook denies', async () => {
    await set({ allow }, 'deny');
    const { output, ...rest } = await outcome();
    expect(rest).toEqual({ ran: false });
    expect(output).toBe('The hook guard denied this call: says the guard');
  });

  it('deny rules next: no hook, ask rule or allow rule lifts them', async () => {
    await set({ deny, ask, allow }, 'allow');
    const { output, ...rest } = await outcome();
    expect(rest).toEqual({ ran: false });
    expect(output).toContain(`The rule ${deny} denies this`);
  });

  it('ask rules next: no hook and no allow rule lifts them', async () => {
    await set({ ask, allow }, 'allow');
    expect(await outcome()).toMatchObject({ ran: false, asked: { rule: ask, suggestedRules: [] } });
  });

  it('allow rules next, unless a hook requires approval', async () => {
    await set({ allow }, null);
    const { asked, ran } = await outcome();
    expect({ asked, ran }).toEqual({ asked: undefined, ran: true });
    await set({ allow }, 'ask');
    expect(await outcome()).toMatchObject({
      ran: false,
      asked: { reason: expect.stringContaining('says the guard') as unknown },
    });
  });

  it('the mode last, which no hook replaces', async () => {
    await set({}, 'allow');
    expect(await outcome()).toMatchObject({
      ran: false,
      asked: { suggestedRules: [expect.stringContaining('npm') as unknown] },
    });
  });
});
