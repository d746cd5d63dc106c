import { join } from 'node:path';
import { WritableSettings } from '../contract/index.ts';
import { createGate, SessionRules } from '../features/call-gate/index.ts';
import { createPermissions } from '../features/permissions/index.ts';
import type { Tool } from '../features/tools/index.ts';
import { ToolCatalog } from '../features/tools/tool-catalog.ts';
import { commandHook, nobody, runnerOf } from './hook-runner.ts';

/** Permission settings of a gate. */
export interface TestGateOptions {
  deny?: string;
  ask?: string;
  allow?: string;
  mode?: WritableSettings['permissionMode'];
  hook?: string;
  /** Matcher of the hook. */
  matcher?: string;
}

/** Creates the gate of a turn with a catalog that contains only this tool. */
export async function gateAround(tool: Tool, around: TestGateOptions = {}) {
  const catalog = new ToolCatalog(() => undefined);
  catalog.add({ list: () => [tool] });
  const { deny = '', ask = '', allow = '', mode = 'full-access' } = around;
  const settings = () => ({
    ...WritableSettings.parse({}),
    permissionRules: { deny, ask, allow },
    permissionMode: mode,
  });
  const grammarDirectory = join(import.meta.dirname, '..', '..', 'dist', 'shell-grammars');
  const sandbox = () => Promise.resolve('full' as const);
  const findTool = (name: string) => catalog.toolInfo(name);
  const { permissions } = createPermissions({
    settings,
    sandbox,
    toolInfo: findTool,
    grammarDirectory,
  });
  const hooks =
    around.hook === undefined
      ? []
      : [commandHook(around.hook, { matcher: around.matcher ?? null })];
  const { runner, workspace } = await runnerOf(hooks);
  const gate = createGate(
    {
      tools: catalog,
      judge: (call, context) => permissions.judge(call, context),
      objectionTo: (url, decided) => permissions.objectionTo(url, decided),
      hooks: runner,
      allowAlways: () => Promise.resolve(),
      sessions: new SessionRules(),
      workspace: () => workspace,
    },
    { mode, session: 'one', signal: nobody },
  );
  const judge = (args: Record<string, unknown>) =>
    gate.judge({ callId: 'call-1', tool, arguments: args }, () => undefined);
  return { gate, judge, permissions };
}
