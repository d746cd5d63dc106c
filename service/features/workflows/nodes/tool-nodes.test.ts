import { expect, it } from 'vitest';
import { api } from '../../../contract/index.ts';
import { fullAccess, startAgentHost } from '../../../testing/agent-host.ts';
import { useForFile } from '../../../testing/use-for-file.ts';

const host = await useForFile(startAgentHost());
const { workflows } = api;

it('every tool can be a node except those that run workflows, tasks and the computer', async () => {
  const { id } = await host.client.call(workflows.create, {
    body: { name: 'Other', plan: { steps: [{ tool: 'json_format', arguments: { json: '1' } }] } },
  });
  await host.client.call(workflows.publish, {
    params: { workflowId: id },
    body: { published: true },
  });
  const tools = (await host.client.call(api.tools.list)).map(({ name }) => name);
  expect(tools).toContain(`run_workflow_${id}`);
  const nodes = await host.client.call(workflows.nodes);
  const placed = new Set(nodes.map(({ tool }) => tool));
  expect(
    tools.filter((name) => !placed.has(name)).every((name) => /^(run_|task_|computer_)/.test(name)),
  ).toBe(true);
  expect([...placed].filter((name) => /^(run_workflow_|task_|computer_)/.test(name))).toEqual([]);
  expect(new Set(nodes.map(({ type }) => type)).size).toBe(nodes.length);
});

it('the form of a tool follows its schema, and the entered values run', async () => {
  const nodes = await host.client.call(workflows.nodes);
  const command = nodes.find(({ tool }) => tool === 'execute_command');
  expect(command).toMatchObject({ type: 'tool:execute_command', group: 'tools', pluginId: null });
  expect(command?.inputs).toEqual(
    expect.arrayContaining([
      { name: 'command', label: 'command', required: true, widget: 'textarea', types: ['string'] },
      { name: 'timeoutSeconds', label: 'timeoutSeconds', widget: 'number', types: ['number'] },
      { name: 'background', label: 'background', widget: 'switch', types: ['boolean'] },
    ]),
  );
  const data = { nodeType: command?.type, inputs: { command: 'echo placed' } };
  const graph = { nodes: [{ id: 'run', position: { x: 0, y: 0 }, data }], edges: [] };
  const { plan } = await host.client.call(workflows.compile, { body: { graph } });
  const { run } = await host.finish(plan, fullAccess);
  expect(run.executions[0]?.result).toMatchObject({ stdout: 'placed\n' });
});
