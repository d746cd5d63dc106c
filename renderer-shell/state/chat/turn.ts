import type {
  AnswerPart,
  ApprovalRequest,
  ChatTurn,
  ElicitationRequest,
  EventOf,
  MessageOutcome,
  MessageVersion,
  api,
} from '../../../service/contract/index.ts';

export type ChatEvent = EventOf<(typeof api.runStreams.chat)['reply']>;

type ToolPart = Extract<AnswerPart, { type: 'tool' }> & {
  /** What a tool that runs has told so far, the end of it. */
  progress?: string;
};
export type ShownPart = Exclude<AnswerPart, { type: 'tool' }> | ToolPart;

/** An answer that is being written, or that ended a moment ago. */
export interface Turn {
  /** Null until the service has taken it. */
  streamId: string | null;
  state: ChatTurn['state'];
  parts: readonly ShownPart[];
  warnings: readonly string[];
  pending: ApprovalRequest | null;
  /** What an MCP server wants to know. */
  question: ElicitationRequest | null;
  /** Why the answer was not finished. */
  outcome: MessageOutcome | null;
  /** Where the person's message and the answer are stored, once it has ended. */
  said: MessageVersion | null;
  answer: MessageVersion | null;
  /** Tokens a second while the model wrote; null while it is not known. */
  tps: number | null;
  /** Of the conversation, once it has ended. */
  revision: number | null;
}

const shownProgress = 4_000;

export const newTurn: Turn = {
  streamId: null,
  state: 'running',
  parts: [],
  warnings: [],
  pending: null,
  question: null,
  outcome: null,
  tps: null,
  revision: null,
  said: null,
  answer: null,
};

export const isRunning = ({ state }: Turn): boolean =>
  state === 'running' || state === 'awaiting_approval';

export const textOfTurn = ({ parts }: Turn): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

/** The turn after an event of its stream. */
export function afterEvent(turn: Turn, { event, data }: ChatEvent): Turn {
  switch (event) {
    case 'token':
      return { ...turn, parts: grown(turn.parts, 'text', data.text) };
    case 'thinking':
      return { ...turn, parts: grown(turn.parts, 'thinking', data.text) };
    case 'tool':
      return { ...turn, parts: afterTool(turn.parts, data) };
    case 'approval_requested':
      return waiting({ ...turn, pending: data });
    case 'approval_decided':
      return waiting({ ...turn, pending: null });
    case 'elicitation_requested':
      return waiting({ ...turn, question: data });
    case 'elicitation_decided':
      return waiting({ ...turn, question: null });
    case 'warning':
      return { ...turn, warnings: [...turn.warnings, data.message] };
    case 'done':
      return { ...turn, state: 'done', pending: null, question: null, tps: data.tps };
  }
}

/** The state that fits what waits for the person. */
export const waiting = (turn: Turn): Turn => ({
  ...turn,
  state: turn.pending || turn.question ? 'awaiting_approval' : 'running',
});

function grown(
  parts: readonly ShownPart[],
  type: 'text' | 'thinking',
  text: string,
): readonly ShownPart[] {
  const last = parts.at(-1);
  if (last?.type !== type) return [...parts, { type, text }];
  return parts.with(-1, { type, text: last.text + text });
}

type ToolEvent = Extract<ChatEvent, { event: 'tool' }>['data'];

function afterTool(parts: readonly ShownPart[], event: ToolEvent): readonly ShownPart[] {
  if (event.phase === 'call') {
    const { id, name, arguments: given } = event;
    return [...parts, { type: 'tool', id, name, arguments: given }];
  }
  return parts.map((part) => {
    if (part.type !== 'tool' || part.id !== event.id) return part;
    if (event.phase === 'progress')
      return { ...part, progress: ((part.progress ?? '') + event.text).slice(-shownProgress) };
    const { progress: _, ...rest } = part;
    return { ...rest, success: event.success, output: event.output };
  });
}

/** The turn as the service tells it to whoever comes later; what was heard live stays whole. */
export function asTold(turn: Turn, told: ChatTurn): Turn {
  const heard = new Map(
    turn.parts.flatMap((part) => (part.type === 'tool' ? [[part.id, part] as const] : [])),
  );
  return {
    ...turn,
    streamId: told.streamId,
    state: told.state,
    warnings: told.warnings,
    parts: told.parts.map((part) => {
      const known = part.type === 'tool' ? heard.get(part.id) : undefined;
      if (part.type !== 'tool' || known === undefined) return part;
      return known.output === undefined ? { ...known, ...part } : known;
    }),
    pending: told.pendingApproval ?? null,
    question: told.pendingElicitation ?? null,
    outcome: told.outcome ?? null,
    said: told.said ?? null,
    answer: told.answer ?? null,
    revision: told.revision ?? null,
  };
}
