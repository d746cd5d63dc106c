import { randomUUID } from 'node:crypto';
import {
  type NodeInput,
  type NodeContextOptions,
  type HostEnum,
  type NodeOption,
  optionNeeds,
  type WorkflowNode,
} from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { ReferenceProblem, replaceReferences, valueAt } from '../../../core/references.ts';
import { type HostText, msg } from '../../../messages/index.ts';
import type { PluginHost } from '../../plugins/index.ts';
import type { Tool } from '../../tools/index.ts';
import { at, mapOptions } from './map-options.ts';

const limitMs = 10_000;
/** The context is stored in the node that it is derived for. */
const maxContextBytes = 256 * 1024;
/** Interval of attempts to cancel a call that its worker does not know yet. */
const cancelAgainMs = 50;

type Values = Readonly<Record<string, unknown>>;

/**
 * The plugins and tools that options of a node are loaded from; `limitMs` is the time limit of a
 * load.
 */
export interface OptionSources {
  plugins: Pick<PluginHost, 'find' | 'invoke' | 'cancel'>;
  catalog: { list(): Promise<Tool[]> };
  /** Set by tests. */
  limitMs?: number;
}

/** Loads the choices for inputs of nodes. */
export class NodeOptions {
  private readonly sources: OptionSources;

  constructor(sources: OptionSources) {
    this.sources = sources;
  }

  /** @throws HostError 404 `unknown_input`, 422 `no_options`, 502 `options_failed`, 504 `options_timed_out` */
  async ofNode(node: WorkflowNode, name: string, values: Values): Promise<NodeOption[]> {
    const input = node.inputs.find((one) => one.name === name);
    if (!input) throw unknownInput(node, name);
    const { options, source, optionsFromContext } = input;
    // Without these inputs the plugin has nothing to answer; the form asks to fill them in first.
    if (optionNeeds(node, input, values).length > 0) return [];
    if (source) {
      const params = filledIn(source.params ?? {}, withDefaults(node, values));
      const method = source.method ?? this.methodOf(node.pluginId, source.tool);
      return mapOptions(await this.ask(node.pluginId, method, params), source);
    }
    if (optionsFromContext !== undefined) return this.ofContext(node, optionsFromContext, values);
    if (options === undefined) throw noOptions(input);
    return options.map(({ value, label }) => ({ value, label }));
  }

  /**
   * Returns data that a plugin derives from another input of the node, such as the columns of a
   * file.
   * @throws HostError 404 `unknown_input`, 422 `no_options`, 502 `options_failed`, 504
   * `options_timed_out`
   */
  async contextOf(node: WorkflowNode, name: string, values: Values): Promise<unknown> {
    const input = node.inputs.find((one) => one.name === name);
    if (!input) throw unknownInput(node, name);
    const { context, label } = input;
    if (!context) throw noContext(label, node);
    const from = node.inputs.find((one) => one.name === context.from);
    const value = valueOf(values, context.from) ?? from?.default;
    if (value === undefined) throw missingValue(from?.label ?? context.from);
    const answer = await this.ask(node.pluginId, context.method, { [context.from]: value });
    if (Buffer.byteLength(JSON.stringify(answer) ?? '') > maxContextBytes)
      throw failed(msg('node.contextTooLarge'));
    return answer;
  }

  private async ofContext(
    node: WorkflowNode,
    contextOptions: NodeContextOptions,
    values: Values,
  ): Promise<NodeOption[]> {
    const {
      context: name,
      path = '',
      ...mapping
    } = typeof contextOptions === 'string' ? fromText(contextOptions) : contextOptions;
    const holder = node.inputs.find((one) => one.name === name);
    const { context } = holder ?? {};
    if (!context) throw noContext(name, node);
    const value = valueOf(values, context.from) ?? defaultOf(node, context.from);
    const answer = await this.ask(node.pluginId, context.method, { [context.from]: value });
    return mapOptions(path === '' ? answer : at(answer, path), mapping);
  }

  /** @throws HostError 404 `unknown_tool`, 422 `no_options`; otherwise as `ofNode` */
  async ofTool({ tool: name, ...mapping }: HostEnum): Promise<NodeOption[]> {
    const tools = await this.sources.catalog.list();
    const tool = tools.find((one) => one.name === name);
    if (tool?.pluginId === undefined)
      throw new HostError('missing', 'unknown_tool', msg('node.noPluginTool', { tool: name }));
    const { pluginId, effect } = tool;
    if (effect !== 'read') throw noList(msg('node.toolNotReadOnly', { tool: name, effect }));
    // The name in the catalog may differ from the plugin's own; the order is the same.
    const toolIndex = tools.filter((one) => one.pluginId === pluginId).indexOf(tool);
    const method = this.sources.plugins.find(pluginId)?.manifest.aiTools[toolIndex]?.method;
    return mapOptions(await this.ask(pluginId, method, {}), mapping);
  }

  private methodOf(pluginId: string | null, tool: string | undefined): string | undefined {
    const plugin = pluginId === null ? undefined : this.sources.plugins.find(pluginId);
    return plugin?.manifest.aiTools.find(({ name }) => name === tool)?.method;
  }

  private async ask(
    pluginId: string | null,
    method: string | undefined,
    params: Record<string, unknown>,
  ): Promise<unknown> {
    if (pluginId === null || method === undefined) throw failed(msg('node.noOptionsMethod'));
    const { plugins } = this.sources;
    const callId = `options-${randomUUID()}`;
    const over = new AbortController();
    const cancel = (): void => {
      if (over.signal.aborted || !plugins.find(pluginId) || plugins.cancel(pluginId, callId))
        return;
      setTimeout(cancel, cancelAgainMs).unref();
    };
    const late = new Promise<never>((_, reject) => {
      const timer = setTimeout(() => {
        reject(timedOut(pluginId));
        cancel();
      }, this.sources.limitMs ?? limitMs);
      over.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    });
    const asked = plugins.invoke(pluginId, { callId, method, params }).finally(() => over.abort());
    asked.catch(() => undefined);
    const reply = await Promise.race([asked, late]);
    if ('error' in reply)
      throw failed(msg('node.pluginSays', { text: reply.error.message.slice(0, 500) }));
    return reply.result;
  }
}

const defaultOf = ({ inputs }: WorkflowNode, name: string): unknown =>
  inputs.find((one) => one.name === name)?.default;

/** Returns undefined if the input is empty. */
function valueOf(values: Values, name: string): unknown {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  return value === null || value === '' ? undefined : value;
}

/** Untouched inputs have the default that the form displays. */
function withDefaults({ inputs }: WorkflowNode, values: Values): Values {
  const defaults = inputs.flatMap(({ name, default: value }) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { ...Object.fromEntries(defaults), ...values };
}

/** Splits `dataset` or `dataset.columns`. */
function fromText(text: string): { context: string; path: string } {
  const [context = '', ...path] = text.split('.');
  return { context, path: path.join('.') };
}

/**
 * Replaces `{{inputs.<name>}}` by the value of another input of the node, or null if that is empty.
 */
function filledIn(params: Record<string, unknown>, values: Values): Record<string, unknown> {
  const valuesByName = new Map(Object.entries(values));
  try {
    return replaceReferences(params, (reference) =>
      valuesByName.has(reference.key) && reference.source === 'inputs'
        ? valueAt(valuesByName.get(reference.key), reference)
        : null,
    ) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof ReferenceProblem) throw failed(error.text);
    throw error;
  }
}

function unknownInput({ label, inputs }: WorkflowNode, name: string): HostError {
  const message =
    inputs.length === 0
      ? msg('node.hasNoInputs', { node: label, input: name })
      : msg('node.hasNoInput', { node: label, input: name, inputs: inputs.map((one) => one.name) });
  return new HostError('missing', 'unknown_input', message);
}

const noList = (text: HostText): HostError => new HostError('unprocessable', 'no_options', text);

const noContext = (name: string, { label }: WorkflowNode): HostError =>
  noList(msg('node.noContext', { input: name, node: label }));

const missingValue = (label: string): HostError =>
  noList(msg('node.valueNeededFirst', { input: label }));

const noOptions = ({ label }: NodeInput): HostError =>
  noList(msg('node.notFromList', { input: label }));

const failed = (text: HostText): HostError =>
  new HostError('upstream-failed', 'options_failed', text);

const timedOut = (pluginId: string): HostError =>
  new HostError(
    'upstream-timeout',
    'options_timed_out',
    msg('node.optionsTimedOut', { plugin: pluginId, seconds: limitMs / 1_000 }),
  );
