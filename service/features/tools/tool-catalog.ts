import { HostError } from '../../core/host-error.ts';
import { type ArgumentProblem, problemForModel } from './argument-problem.ts';
import { checkArguments, readArguments } from './tool-arguments.ts';
import { distinctNames } from './tool-names.ts';
import {
  failure,
  type ToolInfo,
  type Tool,
  type ToolResult,
  type ToolRun,
  type ToolSource,
} from './tool.ts';
import { reasonOf } from './reason-of.ts';
import { SourceLists, type ErrorReporter } from './source-lists.ts';
import { type HostText, type Message, msg, textOf } from '../../messages/index.ts';

/** The current tools of all sources. */
export class ToolCatalog {
  private readonly lists: SourceLists;
  private readonly reportError: ErrorReporter;

  constructor(reportError: ErrorReporter) {
    this.reportError = reportError;
    this.lists = new SourceLists(reportError);
  }

  /**
   * Adds a source and returns a function that removes it. Sources added earlier keep their names.
   */
  add(source: ToolSource): () => void {
    return this.lists.add(source);
  }

  /**
   * Returns all tools with unique names. A source that does not answer in time contributes its last
   * list.
   */
  async list(): Promise<Tool[]> {
    return distinctNames(await this.lists.all(), (name) => this.lists.isReserved(name));
  }

  async find(name: string): Promise<Tool | undefined> {
    return (await this.list()).find((tool) => tool.name === name);
  }

  /** Returns the properties of a tool, even if it is not offered at the moment. */
  async toolInfo(name: string): Promise<ToolInfo | undefined> {
    return (await this.find(name)) ?? this.lists.toolInfo(name);
  }

  /** Returns the reason why the tool refuses these arguments, or null. */
  check(tool: Tool, args: Record<string, unknown>): Promise<ArgumentProblem | null> {
    return checkArguments(tool, args);
  }

  /**
   * Calls a tool. `input` is the model's JSON text or object. Never rejects: a failure becomes a
   * result that the model can act on.
   */
  async run(name: string, input: unknown, run: ToolRun): Promise<ToolResult> {
    try {
      const tool = await this.find(name);
      if (!tool) return failure(await this.unknown(name));
      return await this.runTool(tool, input, run);
    } catch (error) {
      return this.failed(name, run, error);
    }
  }

  /** Does the same for a tool that was found earlier, for example before an approval. */
  async runTool(tool: Tool, input: unknown, run: ToolRun): Promise<ToolResult> {
    try {
      const read = readArguments(tool, input);
      if ('problem' in read) return failure(read.problem);
      const problem = await checkArguments(tool, read.arguments);
      if (problem !== null)
        return { ...failure(problem.reason), modelOutput: problemForModel(problem) };
      run.signal.throwIfAborted();
      return await tool.run({ ...run, arguments: read.arguments });
    } catch (error) {
      return this.failed(tool.name, run, error);
    }
  }

  private async unknown(name: string): Promise<Message> {
    const names = (await this.list()).map((tool) => tool.name);
    const shortName = name.slice(0, 200);
    if (names.length === 0) return msg('tools.noneAvailable', { name: shortName });
    return msg('tools.unknown', { name: shortName, names: names.slice(0, 200) });
  }

  private failed(name: string, { signal }: ToolRun, error: unknown): ToolResult {
    if (signal.aborted) return failure(msg('tools.cancelled'));
    const reason = reasonOf(error);
    if (reason !== null) return failureWith(reason, error);
    this.reportError(`The tool ${name} failed`, error);
    return failure(msg('tools.failed', { name }));
  }
}

/** A model also reads the data beside the sentence. */
function failureWith(reason: HostText, error: unknown): ToolResult {
  const details = error instanceof HostError ? error.details : undefined;
  return details === undefined
    ? failure(reason)
    : { ...failure(`${textOf(reason)}\n${details}`), reason };
}
