import type { ChatRequest, PermissionMode } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import type { Log } from '../../platform/log.ts';
import type { HookCall, HookOutcome, JudgedToolCall } from '../permissions/index.ts';
import type { ArgumentProblem, Tool, ToolResult, ToolRun } from '../tools/index.ts';
import type { SessionRules } from './session-rules.ts';
import { whenGranted } from './when-granted.ts';
import { callLine, decisionLine } from './decision-line.ts';
import type { CallGate, JudgedCall, Judgement } from './judged-call.ts';
import { type HostText, type Message, msg } from '../../messages/index.ts';

type Mode = NonNullable<ChatRequest['permissionMode']>;

/** The parts of the host that judge and run tool calls. */
export interface GatePorts {
  tools: {
    list(): Promise<Tool[]>;
    /** Null if the arguments are valid. */
    check(tool: Tool, args: Record<string, unknown>): Promise<ArgumentProblem | null>;
    runTool(tool: Tool, args: unknown, run: ToolRun): Promise<ToolResult>;
  };
  judge: (
    call: JudgedToolCall,
    context: { mode: Mode; sessionRules: readonly string[] },
  ) => Promise<Judgement>;
  /**
   * Why a call that was allowed for the addresses `decided` must not be redirected to `url`; null
   * if it may.
   */
  objectionTo: (url: URL, decided: readonly string[]) => Message | null;
  hooks: { run(call: HookCall, signal: AbortSignal): Promise<HookOutcome> };
  /** Adds rules to the allow list in the settings. */
  allowAlways: (rules: readonly string[]) => Promise<void>;
  sessions: SessionRules;
  workspace: () => string;
  log?: Pick<Log, 'debug'>;
}

/** The turn or run that makes the calls. */
export interface GateSession {
  mode: PermissionModeName;
  /** Key of the session rules: id of the conversation, of a turn without one, or of the run. */
  session: string;
  conversationId?: string | undefined;
  runId?: string;
  signal: AbortSignal;
}

type PermissionModeName = (typeof PermissionMode)['_output'];

/** Creates the gate of one turn or run, which applies hooks, rules and mode to each tool call. */
export function createGate(ports: GatePorts, turn: GateSession): CallGate {
  const hookCall = (event: HookCall['event'], call: JudgedCall): HookCall => ({
    event,
    tool: call.tool.name,
    arguments: call.arguments,
    effect: call.tool.effect,
    aliases: call.tool.aliases,
    callId: call.callId,
    permissionMode: turn.mode,
    cwd: ports.workspace(),
    ...(turn.conversationId === undefined ? {} : { conversationId: turn.conversationId }),
    ...(turn.runId === undefined ? {} : { runId: turn.runId }),
  });
  const observe = async (
    call: HookCall,
    warn: (message: HostText) => void,
  ): Promise<HookOutcome> => {
    const outcome = await ports.hooks.run(call, turn.signal);
    for (const { hook, message } of outcome.warnings)
      warn(hook === '' ? message : msg('hooks.warning', { hook, warning: message }));
    return outcome;
  };
  const byRules = ({ tool, arguments: args }: JudgedCall): Promise<Judgement> => {
    const context = { mode: turn.mode, sessionRules: ports.sessions.of(turn.session) };
    const { name, effect } = tool;
    return ports.judge({ tool: name, arguments: args, effect, facets: tool }, context);
  };
  return {
    sandboxed: turn.mode !== 'full-access',
    tools: () => ports.tools.list(),
    async judge(call, warn) {
      const judgement = await judge(ports, call, {
        hooks: () => observe(hookCall('pre_tool_use', call), warn),
        rules: () => byRules(call),
      });
      ports.log?.debug('permissions', () => decisionLine(call, judgement, turn.mode));
      return judgement;
    },
    granted: (call, asked, signal) =>
      whenGranted(asked, { sessions: ports.sessions, session: turn.session, signal }, () =>
        byRules(call),
      ),
    async remember(rules, always) {
      if (always) await ports.allowAlways(rules);
      else ports.sessions.add(turn.session, rules);
      ports.sessions.notifyGranted(always ? null : turn.session);
    },
    run: (tool, args, run) =>
      runLogged(ports, tool, args, {
        ...run,
        caller: { mode: turn.mode, session: turn.session },
        objection: (url) => Promise.resolve(ports.objectionTo(url, openedBy(tool, args))),
      }),
    async ran(call, result, warn) {
      const event = result.success ? 'post_tool_use' : 'post_tool_use_failure';
      const payload = result.success ? { result: result.output } : { error: result.output };
      await observe({ ...hookCall(event, call), ...payload }, warn).catch((error: unknown) => {
        if (turn.signal.aborted) return;
        warn(error instanceof HostError ? error.text : msg('hooks.notRun'));
      });
    },
  };
}

async function runLogged(
  { tools, log }: GatePorts,
  tool: Tool,
  args: Record<string, unknown>,
  run: ToolRun,
): Promise<ToolResult> {
  const startedMs = performance.now();
  const result = await tools.runTool(tool, args, run);
  const ms = Math.round(performance.now() - startedMs);
  log?.debug('tools', () => callLine(tool.name, run.callId, result.success, ms));
  return result;
}

/** Checks the arguments, then hooks, then rules and mode. */
async function judge(
  { tools, sessions }: GatePorts,
  call: JudgedCall,
  ask: { hooks: () => Promise<HookOutcome>; rules: () => Promise<Judgement> },
): Promise<Judgement> {
  const problem = await tools.check(call.tool, call.arguments);
  if (problem !== null) return { ...problem, verdict: 'invalid', suggestedRules: [] };
  const outcome = await ask.hooks();
  if (outcome.decision === 'deny') return { ...judgementOf(denialOf(outcome)), verdict: 'deny' };
  const grantsBefore = sessions.grants;
  const judgement = { ...(await ask.rules()), grantsBefore };
  if (outcome.decision !== 'ask') return judgement;
  return judgement.verdict === 'allow'
    ? { ...judgementOf(questionIn(outcome)), verdict: 'ask', hookAsks: true }
    : { ...judgement, hookAsks: true };
}

const openedBy = ({ address }: Tool, args: Record<string, unknown>): string[] => {
  const opened = address?.(args);
  return opened === undefined ? [] : [opened];
};

/** Without suggested rules, since no rule can allow the call in future. */
const judgementOf = (reason: Message): Omit<Judgement, 'verdict'> => ({
  reason,
  suggestedRules: [],
});

function denialOf({ hook = '', reason = '' }: HookOutcome): Message {
  return reason === ''
    ? msg('hooks.deniedCall', { hook })
    : msg('hooks.deniedCallBecause', { hook, reason });
}

/** The question of a hook; `hook` is empty if no hook could be run. */
function questionIn({ hook, reason = '' }: HookOutcome): Message {
  if (hook === undefined) return msg('hooks.notRunBefore', { reason });
  return reason === ''
    ? msg('hooks.asksAboutCall', { hook })
    : msg('hooks.asksAboutCallBecause', { hook, reason });
}
