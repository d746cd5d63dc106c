import { expect, it } from 'vitest';
import { gateAround } from '../../testing/gate-around.ts';
import { nobody } from '../../testing/hook-runner.ts';
import { jsonResult, type Tool, type ToolRun } from '../tools/index.ts';
import { englishText } from '../../testing/english-text.ts';
import { textOf } from '../../messages/index.ts';

/** A tool whose name is unknown to the rest of the project. */
const added = (facets: Partial<Tool> = {}): Tool => ({
  name: 'visit_place',
  description: 'Visits a place.',
  inputSchema: {
    type: 'object',
    properties: { place: { type: 'string' } },
    required: ['place'],
    additionalProperties: false,
  },
  effect: 'external',
  run: () => Promise.resolve(jsonResult({ visited: true })),
  ...facets,
});

const opens = added({ address: ({ place }) => String(place) });
const there = { place: 'https://www.example.com/a' };

it('a new tool that declares its address is covered by address rules', async () => {
  const rule = 'WebFetch(domain:example.com)';
  for (const [list, verdict] of [
    ['deny', 'deny'],
    ['ask', 'ask'],
    ['allow', 'allow'],
  ] as const) {
    const mode = list === 'allow' ? 'ask-for-approval' : 'full-access';
    const { judge, permissions } = await gateAround(opens, { [list]: rule, mode });
    expect(await judge(there)).toMatchObject({ verdict, rule });
    const explained = await permissions.explain({ tool: opens.name, arguments: there });
    expect(explained).toMatchObject({ verdict, rule });
    const elsewhere = await judge({ place: 'https://example.org/' });
    expect(elsewhere.rule).toBeUndefined();
  }
  const silent = await gateAround(added(), { deny: rule });
  expect(await silent.judge(there)).toMatchObject({ verdict: 'allow' });
});

it('its address becomes the suggested rule, and an unreadable one needs approval', async () => {
  const { judge } = await gateAround(opens, { mode: 'ask-for-approval' });
  expect(await judge(there)).toMatchObject({
    verdict: 'ask',
    suggestedRules: ['WebFetch(domain:www.example.com)'],
  });
  const ruled = await gateAround(opens, { deny: 'WebFetch(domain:example.com)' });
  expect(await ruled.judge({ place: 'example.com' })).toMatchObject({ verdict: 'ask' });
});

it('rules alone decide which redirects of a new tool are refused', async () => {
  const rules = { deny: 'WebFetch(domain:denied.test)', ask: 'WebFetch(domain:asked.test)' };
  let run: ToolRun | undefined;
  const tool: Tool = {
    ...opens,
    run: (call) => {
      run = call;
      return Promise.resolve(jsonResult({}));
    },
  };
  const { gate } = await gateAround(tool, rules);
  await gate.run(tool, there, { callId: 'call-1', signal: nobody, sandboxed: true });
  const objection = async (address: string) => {
    const reason = (await run?.objection?.(new URL(address))) ?? null;
    return reason && textOf(reason);
  };
  expect(await objection('https://free.test/')).toBeNull();
  expect(await objection('https://a.denied.test/x')).toMatch(/WebFetch\(domain:denied\.test\)/);
  expect(await objection('https://asked.test/x')).toMatch(
    /WebFetch\(domain:asked\.test\) asks .*https:\/\/asked\.test\/x/,
  );
});

it('a call approved once may be redirected to its own host and to nothing else that needs approval', async () => {
  let run: ToolRun | undefined;
  const tool: Tool = {
    ...opens,
    run: (call) => {
      run = call;
      return Promise.resolve(jsonResult({}));
    },
  };
  const { gate } = await gateAround(tool, { ask: 'WebFetch(domain:*)' });
  await gate.run(tool, there, { callId: 'call-1', signal: nobody, sandboxed: true });
  expect(await run?.objection?.(new URL('http://www.example.com:8080/b'))).toBeNull();
  expect(await run?.objection?.(new URL('https://example.com/b'))).toEqual(
    englishText(/asks before/),
  );
});

it('hooks match a new tool by its declared aliases', async () => {
  const hook = 'cat > /dev/null; echo no >&2; exit 2';
  const named = added({ aliases: ['Visit'] });
  for (const matcher of ['Visit', 'visit_place']) {
    const { judge } = await gateAround(named, { hook, matcher });
    expect(await judge(there)).toMatchObject({ verdict: 'deny' });
  }
  const { judge } = await gateAround(added(), { hook, matcher: 'Visit' });
  expect(await judge(there)).toMatchObject({ verdict: 'allow' });
});

it('a new tool with its own guard runs in every mode unless a rule forbids it', async () => {
  const guarded = added({ guarded: true });
  const { judge } = await gateAround(guarded, { mode: 'ask-for-approval' });
  expect(await judge(there)).toMatchObject({ verdict: 'allow' });
  const ruled = await gateAround(guarded, { ask: 'Tool(visit_place)' });
  expect(await ruled.judge(there)).toMatchObject({ verdict: 'ask' });
});

it('a new tool that runs command lines is judged by their commands', async () => {
  const runs = added({ command: ({ place }) => ({ command: place }) });
  const { judge } = await gateAround(runs, { deny: 'Command(npm publish)' });
  expect(await judge({ place: 'npm publish' })).toMatchObject({ verdict: 'deny' });
  expect(await judge({ place: 'rm x' })).toMatchObject({ verdict: 'ask', segment: 'rm x' });
  const starts = added({ launches: ({ place }) => String(place) });
  const { judge: started } = await gateAround(starts, { allow: 'Tool(*)' });
  expect(await started({ place: 'sudo' })).toMatchObject({ verdict: 'ask', segment: 'sudo' });
  expect(await started({ place: 'gedit' })).toMatchObject({ verdict: 'allow' });
});

it('a new tool that asks the user does so in every mode, whatever allows it', async () => {
  const asks = added({ asksAPerson: true });
  for (const mode of ['ask-for-approval', 'approve-for-me', 'full-access'] as const) {
    const { judge } = await gateAround(asks, { mode, allow: 'Tool(*)\nEffect(external)' });
    expect(await judge(there)).toMatchObject({ verdict: 'ask', suggestedRules: [] });
  }
  const denied = await gateAround(asks, { deny: 'Tool(visit_place)' });
  expect(await denied.judge(there)).toMatchObject({ verdict: 'deny' });
});

it('invalid arguments are refused before hooks run and before approval is requested', async () => {
  const hook = 'cat > /dev/null; echo no >&2; exit 2';
  const { judge } = await gateAround(added({ asksAPerson: true }), { hook, deny: 'Tool(*)' });
  expect(await judge({ place: 1 })).toMatchObject({
    verdict: 'invalid',
    reason: englishText(/place must be text/),
    suggestedRules: [],
  });
});
