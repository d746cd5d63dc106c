import { ToolCatalog } from '../../features/tools/tool-catalog.ts';
import { type BrowserTools, browserTools } from '../../features/tools/browser/browser-tools.ts';
import type { BrowserSessionsOptions } from '../../features/tools/browser/browser-sessions.ts';
import type { ToolResult, ToolRun } from '../../features/tools/index.ts';

/** Browser tools without a host. */
export interface OpenBrowser {
  tools: BrowserTools;
  catalog: ToolCatalog;
  /** Calls `browser_<action>` in the session `one`, unless `run` overrides it. */
  call(action: string, input?: object, run?: Partial<ToolRun>): Promise<ToolResult>;
  /** Calls an action and parses its output as JSON; throws the error text of a failed call. */
  json(action: string, input?: object, run?: Partial<ToolRun>): Promise<Record<string, unknown>>;
  /** Returns the error text of a call that must fail. */
  refusal(action: string, input?: object, run?: Partial<ToolRun>): Promise<string>;
  close(): Promise<void>;
}

let calls = 0;

/** Opens the browser tools with an engine, without a host. */
export function openBrowser(
  options: Omit<BrowserSessionsOptions, 'objectionTo'> & Partial<BrowserSessionsOptions>,
): OpenBrowser {
  const tools = browserTools({ objectionTo: () => null, ...options });
  const errors: unknown[] = [];
  const catalog = new ToolCatalog((_what, error) => errors.push(error));
  catalog.add(tools);
  const call: OpenBrowser['call'] = (action, input = {}, run) => {
    const callId = `call-${(calls += 1)}`;
    const signal = new AbortController().signal;
    const about = { callId, signal, sandboxed: true, conversationId: 'one', ...run };
    return catalog.run(`browser_${action}`, input, about);
  };
  return {
    tools,
    catalog,
    call,
    async json(action, input, run) {
      const { success, output } = await call(action, input, run);
      if (!success) throw new Error(`browser_${action} failed: ${output} ${String(errors.at(-1))}`);
      return JSON.parse(output) as Record<string, unknown>;
    },
    async refusal(action, input, run) {
      const { success, output } = await call(action, input, run);
      if (success) throw new Error(`browser_${action} was done: ${output.slice(0, 500)}`);
      return output;
    },
    close: () => tools.close(),
  };
}

/** Width and height of a PNG. */
export function sizeOfPng(base64: string): { width: number; height: number } {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('latin1', 1, 4) !== 'PNG') throw new Error('That is no PNG.');
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
