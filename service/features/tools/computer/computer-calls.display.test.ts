import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../contract/index.ts';
import { type AgentHost, fullAccess, startAgentHost } from '../../../testing/agent-host.ts';
import { only } from '../../../testing/chat-host.ts';
import {
  openDisplay,
  pressKeys,
  type TestDisplay,
} from '../../../testing/computer/open-display.ts';
import { testDesktop } from '../../../testing/test-desktop.ts';
import { msg } from '../../../messages/index.ts';

let display: TestDisplay;
let host: AgentHost;
beforeAll(async () => {
  display = await openDisplay();
  host = await startAgentHost({ properties: { computerDisplay: display.name } });
});
afterAll(async () => {
  await host.close();
  await display.close();
});
afterEach(() => {
  host.model.script(() => ({ text: ['Done.'] }));
  host.model.requests.length = 0;
});

type Call = [tool: string, given: Record<string, unknown>];
const makes = (...calls: Call[]): void =>
  host.model.script((_request, index) => {
    const call = calls[index];
    if (!call) return { text: ['Done.'] };
    const [name, args] = call;
    return { toolCalls: [{ name: `computer_${name}`, arguments: JSON.stringify(args) }] };
  });
const stepsOf = (...calls: Call[]) => ({
  steps: calls.map(([name, args], index) => ({
    tool: `computer_${name}`,
    title: name,
    arguments: args,
    dependsOn: index === 0 ? [] : [index - 1],
  })),
});
const results = (events: Parameters<typeof only>[0]) =>
  only(events, 'tool').filter(({ phase }) => phase === 'result');
const computerTools = async (of = host) =>
  (await of.client.call(api.tools.list, {})).filter(({ name }) => name.startsWith('computer_'));
/** Starts a run that scrolls for a long time. */
const startRun = () =>
  host.start({ plan: stepsOf(longScroll), config: { ...fullAccess, planApproval: false } });
const longScroll: Call = ['scroll', { x: 5, y: 5, dx: 10_000, dy: 10_000 }];

describe('the computer', () => {
  it('can be viewed without approval, and controlled with approval [TOOL-11] [TOOL-12]', async () => {
    makes(['screenshot', {}], ['click', { x: 1, y: 1 }]);
    const { streamId, events, ended } = await host.startTurn('Click');
    await expect
      .poll(() => only(events, 'approval_requested'))
      .toMatchObject([{ tool: 'computer_click', effect: 'external' }]);
    const [{ callId } = { callId: '' }] = only(events, 'approval_requested');
    const body = { callId: String(callId), decision: 'reject' as const };
    await host.client.call(api.chat.approve, { params: { streamId }, body });
    await ended;
    expect(results(events)).toMatchObject([{ success: true }, { success: false }]);
    const last = host.model.requests.at(-1);
    expect(JSON.stringify(last?.messages)).toContain('data:image/png;base64,');
    const tool = last?.messages.find(({ role }) => role === 'tool');
    expect(JSON.parse(String(tool?.content))).toEqual({
      width: 1280,
      height: 800,
      scale: 1,
      display: 'screen',
      image: { mimeType: 'image/png' },
    });
  });

  it('is not in the catalog while the setting is off [SETTINGS-16]', async () => {
    expect(await computerTools()).toHaveLength(15);
    await host.client.call(api.settings.put, { body: { computerUseEnabled: false } });
    expect(await computerTools()).toEqual([]);
    await host.sendMessage('Look');
    expect(JSON.stringify(host.model.requests.at(-1)?.tools)).not.toContain('computer_');
    await host.client.call(api.settings.put, { body: { computerUseEnabled: true } });
    await host.sendMessage('Look');
    expect(JSON.stringify(host.model.requests.at(-1)?.tools)).toContain('computer_screenshot');
  });

  it('is reported in the settings: with a display, or with the reason why there is none [SETTINGS-19]', async () => {
    expect((await host.client.call(api.settings.get)).computerUse).toEqual({
      available: true,
      reason: `The display ${display.name} can be seen and controlled.`,
      reasonMessage: msg('computer.displayAvailable', { display: display.name }),
    });
    const other = await startAgentHost({ desktop: testDesktop() });
    expect((await other.client.call(api.settings.get)).computerUse).toEqual({
      available: false,
      reason: expect.stringContaining('There is no display') as unknown,
      reasonMessage: msg('computer.noDisplay'),
    });
    await other.close();
  });
});

describe('the stop key', () => {
  it('cancels the call and its turn', async () => {
    makes(longScroll, ['type', { text: 'never' }]);
    const messages = [{ role: 'user' as const, content: 'Scroll' }];
    const { streamId, events, ended } = await host.startTurn({
      messages,
      permissionMode: 'full-access',
    });
    await expect.poll(() => only(events, 'tool').at(-1)).toMatchObject({ name: 'computer_scroll' });
    await stopIt(ended);
    const turn = await host.client.call(api.chat.show, { params: { streamId } });
    expect(turn).toMatchObject({ state: 'cancelled' });
    expect(turn.message).toContain('stopped by the person');
    expect(host.model.requests).toHaveLength(1);
  });

  it('cancels a run', async () => {
    const { runId, ended } = await startRun();
    await stopIt(ended);
    expect((await host.show(runId)).status).toBe('cancelled');
  });

  /**
   * Presses the stop key until the run ends; a press counts only after the controls are acquired.
   */
  async function stopIt(ended: Promise<void>): Promise<void> {
    let isOver = false;
    void ended.then(() => (isOver = true));
    await expect
      .poll(async () => {
        await pressKeys(display, ['Control', 'Alt', 'Escape']);
        return isOver;
      })
      .toBe(true);
  }
});

describe('a display that disappears during a call', () => {
  it('is reported in the result, and the service keeps responding', async () => {
    const { runId, ended } = await startRun();
    const states = async () => (await host.show(runId)).executions.map(({ status }) => status);
    await expect.poll(states).toContain('running');
    display.kill();
    await ended;
    const run = await host.show(runId);
    expect(run.status).toBe('failed');
    expect(JSON.stringify(run)).toContain('computer_use_unavailable');
    expect((await host.ask('/api/health')).status).toBe(200);
    expect((await host.client.call(api.settings.get)).computerUse).toMatchObject({
      available: false,
    });
  });
});
