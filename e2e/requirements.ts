import { agent } from './requirements/agent.ts';
import { aiConfig } from './requirements/ai-config.ts';
import { auth } from './requirements/auth.ts';
import { bridge } from './requirements/bridge.ts';
import { chat } from './requirements/chat.ts';
import { error } from './requirements/error.ts';
import { workflowNode } from './requirements/workflow-node.ts';
import { grant } from './requirements/grant.ts';
import { hook } from './requirements/hook.ts';
import { http } from './requirements/http.ts';
import { isolation } from './requirements/isolation.ts';
import { launch } from './requirements/launch.ts';
import { limit } from './requirements/limit.ts';
import { log } from './requirements/log.ts';
import { market } from './requirements/market.ts';
import { mcp } from './requirements/mcp.ts';
import { metric } from './requirements/metric.ts';
import { notify } from './requirements/notify.ts';
import { permission } from './requirements/permission.ts';
import { plugin } from './requirements/plugin.ts';
import { secret } from './requirements/secret.ts';
import { settings } from './requirements/settings.ts';
import { setup } from './requirements/setup.ts';
import { store } from './requirements/store.ts';
import { stream } from './requirements/stream.ts';
import { task } from './requirements/task.ts';
import { tool } from './requirements/tool.ts';
import { version } from './requirements/version.ts';
import { worker } from './requirements/worker.ts';
import { workflow } from './requirements/workflow.ts';
import type { Requirement } from './requirements/requirement.ts';

export type { Requirement };

/**
 * All requirements of the specification by area. Tests cite the ids in their names: `[AREA-NN]`.
 */
export const requirements: readonly Requirement[] = [
  ...launch,
  ...http,
  ...auth,
  ...stream,
  ...setup,
  ...settings,
  ...plugin,
  ...worker,
  ...bridge,
  ...log,
  ...market,
  ...store,
  ...grant,
  ...isolation,
  ...aiConfig,
  ...chat,
  ...tool,
  ...permission,
  ...hook,
  ...agent,
  ...task,
  ...workflow,
  ...workflowNode,
  ...mcp,
  ...notify,
  ...secret,
  ...metric,
  ...error,
  ...limit,
  ...version,
];
