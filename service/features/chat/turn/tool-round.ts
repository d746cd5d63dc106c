import { Mutex } from 'async-mutex';
import type { ApprovalRequest } from '../../../contract/index.ts';
import type { ModelToolCall, ModelToolResult } from '../../models/index.ts';
import { failure, problemForModel, type Tool, type ToolResult } from '../../tools/index.ts';
import {
  type CallGate,
  type JudgedCall,
  type Judgement,
  questionOf,
  takeAnswer,
} from '../../call-gate/index.ts';
import type { Approvals } from './approvals.ts';
import type { Elicitations } from './elicitations.ts';
import { shorten } from './shorten.ts';
import type { TurnRecord } from './turn-record.ts';
import { textOf } from '../../../messages/index.ts';

/** The parts of a turn that its tool calls need. */
export interface RoundOptions {
  record: TurnRecord;
  approvals: Approvals;
  elicitations: Elicitations;
  gate: CallGate;
  signal: AbortSignal;
}

interface CallOptions extends RoundOptions {
  deciding: Mutex;
}

const maxCalls = 64;
const readsAtOnce = 4;
const maxArgumentsBytes = 4 * 1024 ** 2;

/**
 * Runs the tool calls of one message. Reads run in parallel; others run sequentially, in the order
 * of the model. Returns one result per call.
 */
export async function runToolRound(
  calls: readonly ModelToolCall[],
  options: RoundOptions,
): Promise<ModelToolResult[]> {
  const tools = new Map((await options.gate.tools()).map((tool) => [tool.name, tool]));
  const results: ModelToolResult[] = [];
  const reading = new Set<Promise<void>>();
  const deciding = new Mutex();
  for (const [index, call] of calls.entries()) {
    options.record.call(call);
    const work = async (): Promise<void> => {
      const result =
        index < maxCalls
          ? await runCall(call, tools.get(call.name), { ...options, deciding })
          : tooMany();
      options.record.result(call.id, result);
      results[index] = {
        callId: call.id,
        output: shorten(result.modelOutput ?? result.output),
        isError: !result.success,
        ...(result.images ? { images: result.images.map(imagePart) } : {}),
      };
    };
    if (tools.get(call.name)?.effect !== 'read') {
      await Promise.all(reading);
      await work();
      continue;
    }
    while (reading.size >= readsAtOnce) await Promise.race(reading);
    const running: Promise<void> = work().finally(() => reading.delete(running));
    reading.add(running);
    running.catch(() => undefined);
  }
  await Promise.all(reading);
  return results;
}

const imagePart = (image: { mimeType: string; data: string }) => ({
  type: 'image' as const,
  ...image,
});

async function runCall(
  call: ModelToolCall,
  tool: Tool | undefined,
  options: CallOptions,
): Promise<ToolResult> {
  const { gate, record, signal } = options;
  signal.throwIfAborted();
  if (!tool) return failure(`There is no tool ${call.name.slice(0, 200)}. Use one that is listed.`);
  const args = argumentsOf(call.arguments);
  if (typeof args === 'string') return failure(args);
  const judged: JudgedCall = { callId: call.id, tool, arguments: args };
  const { refusal, approved } = await options.deciding.runExclusive(() =>
    decide(call, judged, options),
  );
  if (refusal !== null) return refusal;
  signal.throwIfAborted();
  const result = await gate.run(tool, args, {
    callId: call.id,
    signal,
    sandboxed: gate.sandboxed,
    network: args['network'] === true,
    approved,
    onProgress: (text) => record.progress(call.id, text),
    ask: (question, over) => options.elicitations.ask(question, record, { signal, over }),
    ...(record.conversationId === undefined ? {} : { conversationId: record.conversationId }),
  });
  await gate.ran(judged, result, (message) => record.warn(textOf(message)));
  signal.throwIfAborted();
  return result;
}

/** `refusal` is null if the call may run, otherwise its result for the model. */
interface Decided {
  refusal: ToolResult | null;
  /** True if the user decided about this call itself. */
  approved: boolean;
}

/** Sequential, since the answer to one call may allow the next. */
async function decide(
  call: ModelToolCall,
  judged: JudgedCall,
  options: CallOptions,
): Promise<Decided> {
  options.signal.throwIfAborted();
  const judgement = await options.gate.judge(judged, (message) =>
    options.record.warn(textOf(message)),
  );
  if (judgement.verdict === 'ask') return askPerson(call, judged, judgement, options);
  if (judgement.verdict === 'allow') return { refusal: null, approved: false };
  const modelOutput = problemForModel(judgement);
  return { refusal: { ...failure(judgement.reason), modelOutput }, approved: false };
}

async function askPerson(
  call: ModelToolCall,
  judged: JudgedCall,
  judgement: Judgement,
  { record, approvals, gate, signal }: RoundOptions,
): Promise<Decided> {
  const request: ApprovalRequest = {
    callId: call.id,
    arguments: call.arguments,
    ...questionOf(judged, judgement),
  };
  const over = new AbortController();
  let rule: string | undefined;
  let released = false;
  void gate.granted(judged, judgement, over.signal).then((granted) => {
    if (approvals.pending !== request) return;
    ({ rule } = granted);
    released = true;
    approvals.decide({ callId: call.id, decision: 'allow_once' });
  });
  const asked = approvals.ask(request, signal, () => record.askApproval(request));
  const answered = await asked.finally(() => over.abort());
  const { decision } = answered;
  record.decided({ callId: call.id, decision, ...(rule === undefined ? {} : { rule }) });
  const refusal = await takeAnswer(gate, request.suggestedRules, answered);
  return {
    refusal: refusal === null ? null : failure(refusal),
    approved: refusal === null && !released,
  };
}

/** The parsed arguments, or an error message for the model. */
function argumentsOf(text: string): Record<string, unknown> | string {
  if (Buffer.byteLength(text) > maxArgumentsBytes)
    return 'The arguments are larger than 4 MiB. Send less at a time.';
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
    return 'The arguments must be a JSON object.';
  } catch {
    return 'The arguments are not valid JSON. Send them again as one JSON object.';
  }
}

const tooMany = (): ToolResult =>
  failure(`One message can hold ${maxCalls} tool calls. Send the others in the next one.`);
