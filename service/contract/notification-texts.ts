import { AiMode, backendNames } from './ai-config.ts';
import { HostMessage, type HostReason } from './host-message.ts';
import { type InEachLanguage, type Language, languageOf } from './languages.ts';
import type { DatabaseChange, DatabaseType, HostPart } from './setup.ts';

/**
 * What the host itself tells a person, by its code, in every language. English is what `title` and
 * `body` of a notification hold; who shows it in another language takes it from here.
 */

/** How many steps a run has, how many were done, and how many were left out. */
export interface RunTally {
  steps: number;
  done: number;
  left: number;
}

/** The step that ended a run, by its index, and how many failed beside it. */
export interface RunFailure {
  step: number;
  title: string;
  reason: string;
  more: number;
}

export interface LostSecret {
  kind: 'web_search' | 'model' | 'mcp_server' | 'plugin';
  /** The mode of the models, or the name of the server or plugin. */
  name: string;
  /** The title of a plugin's setting. */
  setting?: string;
}

/** What each notice tells. `code`: of the problem that `reason` tells in a sentence. */
export interface NotificationParameters {
  secrets_lost: { secrets: LostSecret[]; more: number };
  database_changed: DatabaseChange & { plugins: number; disabled: number };
  sample_left_out: { plugin: string; reason: string };
  plugin_quarantined: { plugin: string; crashes: number } & HostReason;
  hook_cannot_run: { hook: string; reason: string };
  setting_unusable: { plugin: string; setting: string } & HostReason;
  sandbox_unavailable: { reason: string };
  schedule_skipped: { workflow: string; code: string; reason: string };
  run_completed: { goal: string; summary: string } & RunTally;
  run_failed: { goal: string } & RunFailure & RunTally;
  run_stopped: { goal: string; code: string; reason: string };
  plan_waits: { goal: string; steps: number };
  step_waits: { goal: string; step: number; tool: string; reason: string };
}
export type NotificationCode = keyof NotificationParameters;

export interface NotificationMessage {
  title: string;
  body: string;
}

/** What a notification holds of it. */
interface NotificationContent {
  title: string;
  body: string | null;
  code?: string | undefined;
  parameters?: Record<string, unknown> | undefined;
}

type Texts = {
  [C in NotificationCode]: (parameters: NotificationParameters[C]) => NotificationMessage;
};

interface Messages {
  notices: Texts;
  parts: Record<HostPart, string>;
  carryOver: (change: Pick<DatabaseChange, 'carriedOver' | 'leftBehind'>) => string;
  tally: (tally: RunTally) => string;
  failure: (failure: RunFailure) => string;
}

/** Texts of others may end without a full stop, and something follows them. */
const ended = (text: string, stop: string): string =>
  text === '' || /[.!?…。！？]$/.test(text) ? text : `${text}${stop}`;

const listed = (parts: readonly HostPart[], messages: Messages, separator: string): string =>
  parts.map((part) => messages.parts[part]).join(separator);

const sentences = (...parts: string[]): string => parts.filter(Boolean).join(' ');

const secretInEnglish = ({ kind, name, setting = '' }: LostSecret): string => {
  if (kind === 'web_search') return 'the API key of the web search';
  if (kind === 'mcp_server') return `the credentials of the MCP server ${name}`;
  if (kind === 'plugin') return `the setting ${setting} of the plugin ${name}`;
  return `the API key of ${backendName(name, 'en')}`;
};

const databaseNames: Record<DatabaseType, string> = {
  H2: 'H2',
  SQLITE: 'SQLite',
  MYSQL: 'MySQL',
  POSTGRESQL: 'PostgreSQL',
};

const english: Messages = {
  parts: {
    plugins: 'installed plugins',
    plugin_states: 'which plugins are enabled',
    plugin_files: 'the files of plugins',
    plugin_databases: 'the databases of plugins',
    workspace: 'the workspace',
    settings: 'settings',
    models: 'model configuration',
    conversations: 'conversations',
    workflows: 'workflows',
    runs: 'runs',
    schedules: 'schedules',
    mcp_servers: 'MCP servers',
    sources: 'plugin sources',
    trust: 'trust in plugin hooks',
    memories: 'memories',
    notifications: 'notifications',
    grants: 'files granted to plugins',
  },
  carryOver: ({ carriedOver, leftBehind }) =>
    `Carried over: ${listed(carriedOver, english, ', ')}. Not carried over: ` +
    `${listed(leftBehind, english, ', ')}.`,
  notices: {
    database_changed: ({ from, to, plugins, disabled, ...change }) => ({
      title: `The host now uses another database (${databaseNames[to]})`,
      body: sentences(
        `Before, it was ${databaseNames[from]}.`,
        english.carryOver(change),
        `${plugins} ${plugins === 1 ? 'plugin is' : 'plugins are'} installed, ${disabled} of them disabled.`,
        'What was not carried over is still in the earlier database, except for granted files.',
        'To go back, reset the database in the settings and choose it again.',
      ),
    }),
    secrets_lost: ({ secrets, more }) => ({
      title: 'Stored secrets must be entered again',
      body:
        'The key of this machine was changed or lost, so these cannot be read: ' +
        `${secrets.map(secretInEnglish).join(', ')}${more > 0 ? ` and ${more} more` : ''}. ` +
        'Enter them again, or put the earlier key back and restart.',
    }),
    sample_left_out: ({ plugin, reason }) => ({
      title: `The sample plugin ${plugin} was left out`,
      body: reason,
    }),
    plugin_quarantined: ({ plugin, crashes, reason }) => ({
      title: `${plugin} was stopped`,
      body: sentences(
        `It crashed ${crashes} times within a minute and is not started any more until it is enabled again.`,
        reason,
      ),
    }),
    hook_cannot_run: ({ hook, reason }) => ({
      title: `A hook cannot be run: ${hook}`,
      body: sentences(
        reason,
        'Until it runs again it guards nothing, unless it denies when it fails.',
      ),
    }),
    setting_unusable: ({ plugin, setting, reason }) => ({
      title: `${plugin} works without its setting ${setting}`,
      body: reason,
    }),
    sandbox_unavailable: ({ reason }) => ({
      title: 'Plugins are not started without a sandbox',
      body: reason,
    }),
    schedule_skipped: ({ workflow, reason }) => ({ title: `Not run: ${workflow}`, body: reason }),
    run_completed: ({ goal, summary, ...tally }) => ({
      title: `Done: ${goal}`,
      body: sentences(summary, english.tally(tally)),
    }),
    run_failed: ({ goal, ...rest }) => ({
      title: `Failed: ${goal}`,
      body: sentences(english.failure(rest), english.tally(rest)),
    }),
    run_stopped: ({ goal, reason }) => ({ title: `Failed: ${goal}`, body: reason }),
    plan_waits: ({ goal, steps }) => ({
      title: `Waiting for you: ${goal}`,
      body: `Its plan of ${steps === 1 ? 'one step' : `${steps} steps`} waits for your approval.`,
    }),
    step_waits: ({ goal, step, tool, reason }) => ({
      title: `Waiting for you: ${goal}`,
      body: sentences(
        `Step ${step + 1} wants to use ${tool}.`,
        reason,
        'Without an answer it fails after ten minutes.',
      ),
    }),
  },
  tally: ({ steps, done, left }) =>
    `${done} of ${steps} steps done${left === 0 ? '' : `, ${left} left out`}.`,
  failure: ({ step, title, reason, more }) => {
    const number = step + 1;
    const name = title === '' ? `Step ${number}` : `Step ${number} (${title})`;
    return `${name} failed: ${ended(reason, '.')}${more > 0 ? ` ${more} more failed.` : ''}`;
  },
};

const secretInChinese = ({ kind, name, setting = '' }: LostSecret): string => {
  if (kind === 'web_search') return '网络搜索的 API 密钥';
  if (kind === 'mcp_server') return `MCP 服务器 ${name} 的凭据`;
  if (kind === 'plugin') return `插件 ${name} 的设置 ${setting}`;
  return `${backendName(name, 'zh-CN')}的 API 密钥`;
};

/** Another release may have had backends that this one does not know. */
function backendName(mode: string, language: Language): string {
  const parsed = AiMode.safeParse(mode);
  return parsed.success ? backendNames[parsed.data][language] : mode;
}

const chinese: Messages = {
  parts: {
    plugins: '已安装的插件',
    plugin_states: '插件的启用状态',
    plugin_files: '插件的文件',
    plugin_databases: '插件的数据库',
    workspace: '工作区',
    settings: '设置',
    models: '模型配置',
    conversations: '会话',
    workflows: '工作流',
    runs: '运行',
    schedules: '定时计划',
    mcp_servers: 'MCP 服务器',
    sources: '插件来源',
    trust: '对插件钩子的信任',
    memories: '记忆',
    notifications: '通知',
    grants: '授予插件的文件',
  },
  carryOver: ({ carriedOver, leftBehind }) =>
    `已保留：${listed(carriedOver, chinese, '、')}。未保留：${listed(leftBehind, chinese, '、')}。`,
  notices: {
    database_changed: ({ from, to, plugins, disabled, ...change }) => ({
      title: `主机现在使用另一个数据库（${databaseNames[to]}）`,
      body: sentences(
        `之前是 ${databaseNames[from]}。`,
        chinese.carryOver(change),
        `已安装 ${plugins} 个插件，其中 ${disabled} 个已停用。`,
        '除授予的文件外，未保留的内容仍在原来的数据库中。',
        '要恢复使用，请在设置中重置数据库，然后重新选择它。',
      ),
    }),
    secrets_lost: ({ secrets, more }) => ({
      title: '需要重新输入已保存的密钥',
      body:
        `本机的密钥已更改或丢失，无法读取：${secrets.map(secretInChinese).join('、')}` +
        `${more > 0 ? `，以及另外 ${more} 项` : ''}。请重新输入，或恢复原来的密钥后重启。`,
    }),
    sample_left_out: ({ plugin, reason }) => ({ title: `未安装示例插件 ${plugin}`, body: reason }),
    plugin_quarantined: ({ plugin, crashes, reason }) => ({
      title: `${plugin} 已停止`,
      body: sentences(`一分钟内崩溃 ${crashes} 次，重新启用之前不会再启动。`, reason),
    }),
    hook_cannot_run: ({ hook, reason }) => ({
      title: `无法运行钩子：${hook}`,
      body: sentences(reason, '在它恢复运行之前，除非设置了失败时拒绝，否则不起任何保护作用。'),
    }),
    setting_unusable: ({ plugin, setting, reason }) => ({
      title: `${plugin} 运行时没有使用设置“${setting}”`,
      body: reason,
    }),
    sandbox_unavailable: ({ reason }) => ({ title: '没有沙箱，插件不会启动', body: reason }),
    schedule_skipped: ({ workflow, reason }) => ({ title: `未运行：${workflow}`, body: reason }),
    run_completed: ({ goal, summary, ...tally }) => ({
      title: `已完成：${goal}`,
      body: sentences(summary, chinese.tally(tally)),
    }),
    run_failed: ({ goal, ...rest }) => ({
      title: `失败：${goal}`,
      body: sentences(chinese.failure(rest), chinese.tally(rest)),
    }),
    run_stopped: ({ goal, reason }) => ({ title: `失败：${goal}`, body: reason }),
    plan_waits: ({ goal, steps }) => ({
      title: `等待您处理：${goal}`,
      body: `包含 ${steps} 个步骤的计划正在等待您批准。`,
    }),
    step_waits: ({ goal, step, tool, reason }) => ({
      title: `等待您处理：${goal}`,
      body: sentences(
        `步骤 ${step + 1} 要使用 ${tool}。`,
        reason,
        '十分钟内没有答复，该步骤将失败。',
      ),
    }),
  },
  tally: ({ steps, done, left }) =>
    `已完成 ${done}/${steps} 个步骤${left === 0 ? '' : `，跳过 ${left} 个`}。`,
  failure: ({ step, title, reason, more }) => {
    const number = step + 1;
    const name = title === '' ? `步骤 ${number}` : `步骤 ${number}（${title}）`;
    return `${name}失败：${ended(reason, '。')}${more > 0 ? ` 另有 ${more} 个步骤失败。` : ''}`;
  },
};

const messagesByLanguage: InEachLanguage<Messages> = { en: english, 'zh-CN': chinese };

const messagesFor = (tag: string): Messages => messagesByLanguage[languageOf(tag)];

/** Every notice that the host makes by itself. */
export const notificationCodes = Object.keys(english.notices) as NotificationCode[];

export const isNotificationCode = (code: string): code is NotificationCode =>
  Object.hasOwn(english.notices, code);

/** `language`: a tag; one that there are no words for is English. */
export function notificationText<C extends NotificationCode>(
  code: C,
  parameters: NotificationParameters[C],
  language: string,
): NotificationMessage {
  return messagesFor(language).notices[code](parameters);
}

/** What comes along with a change of the database, and what does not. */
export const carryOverText = (
  change: Pick<DatabaseChange, 'carriedOver' | 'leftBehind'>,
  language: string,
): string => messagesFor(language).carryOver(change);

export const tallyText = (tally: RunTally, language: string): string =>
  messagesFor(language).tally(tally);

export const failureText = (failure: RunFailure, language: string): string =>
  messagesFor(language).failure(failure);

/**
 * What a notification says in that language; only the host's own notices are told in another one.
 * `translate` has the words for the reason in it, which is English, and a message where the host says it.
 */
export function localizeNotification(
  notification: NotificationContent,
  language: string,
  translate: (reason: string, message?: HostMessage) => string = (reason) => reason,
): NotificationContent {
  const { title, body, code, parameters = {} } = notification;
  if (code === undefined || !isNotificationCode(code) || messagesFor(language) === english)
    return { title, body };
  const { reason, reasonMessage } = parameters;
  const message = HostMessage.safeParse(reasonMessage).data;
  const translated =
    typeof reason === 'string' ? { ...parameters, reason: translate(reason, message) } : parameters;
  const text = notificationText(code, translated as never, language);
  return { title: text.title, body: text.body || null };
}
