/**
 * The tools of models: a live catalog of tools from the host, from plugins and from other sources.
 */
import { join } from 'node:path';
import type { WritableSettings } from '../../contract/index.ts';
import type { Route } from '../../http/route.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Sandbox } from '../../platform/isolation/sandbox.ts';
import type { Log } from '../../platform/log.ts';
import type { HostPaths } from '../../platform/paths.ts';
import type { Processes } from '../../platform/processes.ts';
import type { BrowserEngine } from '../../platform/browser/browser-engine.ts';
import type { ComputerEngine } from '../../platform/computer/computer-engine.ts';
import type { PluginHost } from '../plugins/index.ts';
import { browserTools } from './browser/browser-tools.ts';
import { type ComputerTools, computerTools } from './computer/computer-tools.ts';
import { ProtectedFiles } from './command/protected/protected-files.ts';
import { CommandTaskRegistry } from './command/command-task-registry.ts';
import { MemoryStore } from './memory/memory-store.ts';
import { memoryTools } from './memory/memory-tools.ts';
import { memoryRoutes } from './memory/routes.ts';
import { createBuiltInTools } from './create-built-in-tools.ts';
import { pluginTools } from './plugin-tools.ts';
import { toolRoutes } from './routes.ts';
import { commandTasks } from './tasks/command-tasks.ts';
import { Tasks } from './tasks/tasks.ts';
import { ToolCatalog } from './tool-catalog.ts';
import { PageThread } from './web/page-thread.ts';
import type { Message } from '../../messages/index.ts';

export { type ArgumentProblem, problemForModel } from './argument-problem.ts';
export { type WrittenText, writtenText } from './tasks/written-text.ts';
export type { TaskSource } from './tasks/task-source.ts';
export type { Tasks } from './tasks/tasks.ts';
export { argumentErrors } from './tool-arguments.ts';
export type { ToolCatalog } from './tool-catalog.ts';
export { maxImageCharacters, supportedImageTypes as shownImages } from './supported-image-types.ts';
export { failure, jsonResult, objectOf } from './tool.ts';
export type {
  ToolInfo as KnownTool,
  Tool,
  ToolAnswer,
  ToolCall,
  ToolCaller,
  ToolImage,
  ToolQuestion,
  ToolResult,
  ToolRun,
  ToolSource,
} from './tool.ts';

/** The tools, their background tasks and their routes. */
export interface ToolsFeature {
  catalog: ToolCatalog;
  /** Background tasks, including those of other features. */
  tasks: Tasks;
  routes: Route[];
  /** Closes what the tools of a conversation, run or turn keep open, when it is over. */
  endSession(session: string): void;
  /** Called when a turn or run is over; its conversation may continue. */
  paused(owner: string): void;
  /** Emits when a person at the computer stopped a model. */
  stopped: ComputerTools['stopped'];
  close(): Promise<void>;
}

/** Dependencies of the tools feature. */
export interface ToolsOptions {
  database: Database;
  processes: Processes;
  /** Returns the sandbox of this machine for commands. */
  commandSandbox: () => Promise<Sandbox>;
  /** The token and the machine key, which commands must not see. */
  ownSecrets?: readonly string[];
  paths: HostPaths;
  log: Log;
  settings: () => Readonly<WritableSettings>;
  plugins: PluginHost;
  /** The setting `host.web.allow`. */
  webAllow: readonly string[];
  browser: BrowserEngine;
  computer: ComputerEngine;
  /**
   * Called with true when a model starts to press keys and buttons, with false when it has ended.
   */
  modelPresses?: (pressing: boolean) => void;
  /**
   * Returns the reason why a call with permission for some addresses must not follow a redirect to
   * another one, null if it may.
   */
  objectionTo?: (url: URL, opened: readonly string[]) => Message | null;
  nowMs?: () => number;
}

export function createTools(options: ToolsOptions): ToolsFeature {
  const { database, processes, commandSandbox, paths, log, settings, webAllow } = options;
  const protectedFiles = new ProtectedFiles(join(paths.host, 'commands'));
  protectedFiles.start();
  const catalog = new ToolCatalog((what, error) => log.error('tools', what, error));
  const commands = new CommandTaskRegistry();
  const tasks = new Tasks();
  tasks.add(commandTasks(commands));
  const pages = new PageThread();
  const browser = browserTools({
    engine: options.browser,
    allow: webAllow,
    objectionTo: options.objectionTo ?? (() => null),
  });
  const computer = computerTools({
    engine: options.computer,
    enabled: () => settings().computerUseEnabled,
    ...(options.modelPresses === undefined ? {} : { pressing: options.modelPresses }),
  });
  const own = createBuiltInTools({
    command: {
      processes,
      tasks: commands,
      sandbox: commandSandbox,
      ownSecrets: options.ownSecrets ?? [],
      protectedFiles,
      folders: () => ({
        chosen: settings().workspaceDirectory,
        standard: paths.workspace,
        hostRoot: paths.host,
      }),
    },
    search: { settings: () => settings().webSearch, allow: webAllow },
    fetch: { allow: webAllow, pages },
    tasks,
  });
  catalog.add({ list: () => own });
  catalog.add(browser);
  catalog.add(computer);
  const memories = new MemoryStore(database);
  catalog.add(
    memoryTools({
      store: memories,
      enabled: () => settings().memoryEnabled,
      nowMs: options.nowMs ?? Date.now,
    }),
  );
  catalog.add(pluginTools(options.plugins));
  return {
    catalog,
    tasks,
    routes: [...toolRoutes(catalog, tasks), ...memoryRoutes(memories)],
    endSession: (session) => browser.endSession(session),
    paused: (owner) => computer.releaseOwner(owner),
    stopped: computer.stopped,
    async close() {
      pages.end();
      await browser.close();
      await computer.close();
      await commands.close();
    },
  };
}
