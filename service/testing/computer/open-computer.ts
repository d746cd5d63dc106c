import { ToolCatalog } from '../../features/tools/tool-catalog.ts';
import { type ComputerTools, computerTools } from '../../features/tools/computer/computer-tools.ts';
import type { ToolResult, ToolRun } from '../../features/tools/index.ts';
import type { ComputerEngine } from '../../platform/computer/computer-engine.ts';

/** Computer tools without a host. */
export interface OpenComputer {
  tools: ComputerTools;
  /** Calls `computer_<action>` in the session `one`, unless `run` overrides it. */
  call(action: string, input?: object, run?: Partial<ToolRun>): Promise<ToolResult>;
  close(): Promise<void>;
}

let calls = 0;

/** Opens the computer tools with an engine, without a host. */
export function openComputer(
  engine: ComputerEngine,
  idleMs?: number,
  pressing?: (pressing: boolean) => void,
): OpenComputer {
  const tools = computerTools({
    engine,
    enabled: () => true,
    ...(pressing === undefined ? {} : { pressing }),
    ...(idleMs === undefined ? {} : { idleMs }),
  });
  const catalog = new ToolCatalog(() => undefined);
  catalog.add(tools);
  return {
    tools,
    call(action, input = {}, run) {
      const callId = `call-${(calls += 1)}`;
      const about = { callId, sandboxed: true, conversationId: 'one' };
      const { signal } = new AbortController();
      return catalog.run(`computer_${action}`, input, { ...about, signal, ...run });
    },
    close: () => tools.close(),
  };
}
