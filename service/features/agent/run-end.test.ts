import { expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import { msg } from '../../messages/index.ts';
import { installSample } from '../../testing/sample-plugin.ts';
import { command, fullAccess, startAgentHost } from '../../testing/agent-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const host = await useForFile(startAgentHost());

const plan = (line: string) => ({ steps: [command(line)] });
const unattended = { ...fullAccess, planApproval: false };
const notifications = () => host.client.call(api.notifications.list, { query: {} });

it('a completed or failed run creates a notification; a cancelled one does not [NOTIFY-22, NOTIFY-23]', async () => {
  const done = await host.start({
    goal: 'Say\nhello',
    plan: plan('echo hello'),
    config: unattended,
  });
  await done.ended;
  await expect.poll(notifications).toMatchObject([
    {
      source: 'agent',
      level: 'success',
      title: 'Done: Say hello',
      body: '1 of 1 steps done.',
      link: `/agent/${done.runId}`,
      code: 'run_completed',
      parameters: { goal: 'Say hello', steps: 1, done: 1, left: 0 },
    },
  ]);
  const cancelled = await host.start({
    goal: 'Wait',
    plan: plan('exec sleep 30073'),
    config: unattended,
  });
  await host.client.call(api.agent.cancel, { params: { runId: cancelled.runId } });
  const failed = await host.start({ goal: 'Fail', plan: plan('exit 3'), config: unattended });
  await failed.ended;
  await expect.poll(notifications).toMatchObject([
    {
      level: 'error',
      title: 'Failed: Fail',
      code: 'run_failed',
      body: expect.stringMatching(/Step 1/) as unknown,
      parameters: { step: 0, more: 0 },
    },
    { title: 'Done: Say hello' },
  ]);
});

it('a failed step has a readable reason, and the output of the tool as details', async () => {
  const steps = [command('echo hello'), command('echo "no such word" >&2; exit 3', [0])];
  const { run } = await host.finish({ steps: [...steps, command('true', [1])] }, fullAccess);
  const sentence = 'The command ended with exit code 3: no such word';
  const [, failed, skipped] = run.executions;
  expect(failed?.error).toBe(sentence);
  expect(JSON.parse(failed?.details ?? '')).toMatchObject({
    exitCode: 3,
    stderr: 'no such word\n',
  });
  expect(skipped?.error).toBe('Step 2, which this step depends on, was not completed.');
  expect(run.error).toMatch(
    /^Step 2 \(.*\) failed: The command ended with exit code 3: no such word\. 1 of 3/,
  );
  expect(run.details).toBe(failed?.details);
  // Only the output of the program is not translated.
  expect(skipped?.errorMessage).toEqual(msg('run.neededStepNotDone', { step: 2 }));
  expect(run.errorMessage).toMatchObject({ code: 'run.outcome' });
  const { executions, errorMessage } = await host.show(run.runId);
  expect([executions[2]?.errorMessage, errorMessage]).toEqual([
    skipped?.errorMessage,
    run.errorMessage,
  ]);
  const body = async (): Promise<string> => (await notifications())[0]?.body ?? '';
  await expect.poll(body).toContain('Step 2');
  expect(await body()).toContain(sentence);
  expect(`${run.error} ${await body()}`).not.toMatch(/[{}]/);
});

it('wrong arguments are reported in a sentence, with the schema as details', async () => {
  const plan = {
    steps: [
      command('echo 5'),
      {
        tool: 'notify',
        title: 'Notify',
        dependsOn: [0],
        arguments: { title: 'A title', body: '{{steps.0.result}}', level: 'steps.0.result' },
      },
    ],
  };
  const { run } = await host.finish(plan, fullAccess);
  const failed = run.executions[1];
  expect(failed?.error).toMatch(/^The arguments of notify are not valid: [^{}]+\.$/);
  expect(JSON.parse(failed?.details ?? '')).toMatchObject({ type: 'object' });
  expect(run.error).not.toMatch(/[{}]/);
});

it('a file that the user did not choose is not reported as a missing permission', async () => {
  await installSample(host, {
    manifest: {
      id: 'acme.files',
      permissions: ['files.read'],
      aiTools: [{ name: 'read_it', description: 'Reads.', method: 'echo', effect: 'read' }],
    },
  });
  const { runId } = await host.client.call(api.agent.run, {
    body: {
      goal: 'Read',
      config: { ...unattended },
      workflow: {
        steps: [{ title: '', tool: 'read_it', arguments: { path: '@file:doc' }, dependsOn: [] }],
      },
      files: [{ name: 'doc', refs: [] }],
    },
  });
  const read = () => host.client.call(api.agent.show, { params: { runId } });
  await expect.poll(async () => (await read()).status).toBe('failed');
  expect((await read()).executions[0]?.error).toBe('No file was chosen for @file:doc.');
});

it('hooks receive the end of a run and each of its calls', async () => {
  const hook = (event: 'run_complete' | 'pre_tool_use') => ({
    name: event,
    event,
    matcher: '',
    type: 'command' as const,
    timeoutSeconds: 30,
    enabled: true,
    command: `cat >> heard-${event}`,
  });
  const hooks = [hook('run_complete'), hook('pre_tool_use')];
  await host.client.call(api.settings.put, { body: { hooks } });
  const { run } = await host.finish(plan('echo hello'), fullAccess);
  const hookOutput = async (event: string): Promise<string> => {
    const { run: reader } = await host.finish(plan(`cat heard-${event}`), fullAccess);
    return (reader.executions[0]?.result as { stdout?: string } | undefined)?.stdout ?? '';
  };
  await expect.poll(() => hookOutput('run_complete')).toContain(run.runId);
  expect(await hookOutput('pre_tool_use')).toContain(`"callId":"${run.runId}:0"`);
  await host.client.call(api.settings.put, { body: { hooks: [] } });
});

it('a run receives memories about its goal if it asks for them [AGENT-49]', async () => {
  await host.client.call(api.settings.put, { body: { memoryEnabled: true } });
  const text = 'The quarterly report goes to Zoë.';
  await host.finish({ steps: [{ tool: 'memory_remember', arguments: { text } }] }, fullAccess);
  host.model.script(() => ({ text: [JSON.stringify(plan('echo sent'))] }));
  const prompted = async (memory: boolean): Promise<string> => {
    host.model.requests.length = 0;
    const run = await host.start({
      goal: 'Send the quarterly report',
      config: { ...unattended, memory },
    });
    await run.ended;
    return JSON.stringify(host.model.requests);
  };
  expect(await prompted(true)).toContain(text);
  expect(await prompted(false)).not.toContain(text);
});

it('steps completed before a run is redirected stay completed [AGENT-35]', async () => {
  const { run } = await host.finish(
    { steps: [command(': > kept'), command('echo side effect >> kept', [0])] },
    fullAccess,
  );
  const { runId } = await host.client.call(api.agent.rewind, {
    params: { id: run.runId },
    body: { keepSteps: 1 },
  });
  const next = host.follow(runId);
  await host.gate(runId);
  await host.approve(runId, { steps: [run.plan?.steps[0], command('cat kept', [0])] });
  await next.ended;
  expect((await host.show(runId)).executions[1]?.result).toMatchObject({ stdout: 'side effect\n' });
});
