import { scheduleTool } from '../features/schedules/schedule-tool.ts';
import { browserTools } from '../features/tools/browser/browser-tools.ts';
import { createBuiltInTools } from '../features/tools/create-built-in-tools.ts';
import { computerTools } from '../features/tools/computer/computer-tools.ts';
import type { ToolInfo } from '../features/tools/tool.ts';
import { memoryTools } from '../features/tools/memory/memory-tools.ts';
import { submitTool } from '../features/workflows/tasks/submit-tool.ts';
import { currentWorkflow } from '../features/workflows/tools/current-workflow.ts';
import { httpTools } from '../features/workflows/tools/http-request.ts';
import { confirmSend } from '../features/workflows/tools/plain-tools.ts';

/** The tools are only described, never run, so their dependencies are not needed. */
const nothing = {} as never;
/** Accepts any property access. */
const anything = new Proxy({}, { get: () => nowhere }) as never;
const nowhere = { allow: [], pages: nothing, settings: nothing, engine: nothing };

const tools: readonly ToolInfo[] = [
  ...createBuiltInTools(anything),
  ...(browserTools({ ...nowhere, objectionTo: () => null }).possibleTools ?? []),
  ...(computerTools({ ...nowhere, enabled: () => false }).possibleTools ?? []),
  ...(memoryTools(nothing).possibleTools ?? []),
  ...httpTools([]),
  currentWorkflow,
  confirmSend,
  submitTool(nothing, nothing, nothing),
  scheduleTool(nothing),
];

/** Returns the description of a built-in tool, without a host. */
export const builtInTool = (name: string): ToolInfo | undefined =>
  tools.find((tool) => tool.name === name);

export const builtInToolNames: readonly string[] = tools.map(({ name }) => name);
