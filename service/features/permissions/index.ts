/** Decides about tool calls: hooks first, then rules, the floor of dangerous commands and modes. */
import type { Route } from '../../http/route.ts';
import { Permissions, type PermissionsOptions } from './permissions.ts';
import { permissionRoutes } from './routes.ts';
import { Grammars } from './shell/grammars.ts';

export { hookRoutes } from './hooks/routes.ts';
export {
  type HookCall,
  type HookOutcome,
  HookRunner,
  type RunnableHook,
} from './hooks/hook-runner.ts';
export { runnableHooks } from './hooks/runnable-hooks.ts';
export { checkRules } from './rules/check-rules.ts';
export { requireRules, ruleProblems } from './rules/rule-problems.ts';
export { type ToolFacets, urlIn } from './tool-facets.ts';
export type { ToolCall as JudgedToolCall } from './verdict/call.ts';

/** The permission rules and their routes. */
export interface PermissionsFeature {
  permissions: Permissions;
  routes: Route[];
}

export function createPermissions(options: PermissionsOptions): PermissionsFeature {
  const permissions = new Permissions(options, new Grammars(options.grammarDirectory));
  return { permissions, routes: permissionRoutes(permissions) };
}
