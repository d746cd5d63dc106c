import type {
  AnswerPart,
  ApprovalRequest,
  ChatMessage,
  ChatTurn,
  ElicitationRequest,
  EventOf,
  MessageOutcome,
  MessageVersion,
  api,
} from '../../../service/contract/index.ts';

/** An event of a turn; `snapshot` is a complete one. */
export type ChatEvent = Exclude<
  EventOf<(typeof api.runStreams.turn)['reply']>,
  { event: 'snapshot' }
>;

type ToolPart = Extract<AnswerPart, { type: 'tool' }> & {
  /** The tail of the output of a running tool. */
  progress?: string;
};
export type DisplayedPart = Exclude<AnswerPart, { type: 'tool' }> | ToolPart;

/** A notice to the user that does not stop the turn. */
export type TurnWarning = Omit<Extract<ChatEvent, { event: 'warning' }>['data'], 'sequence'>;

/** An answer that is being written, or that ended just now. */
export interface Turn {
  /** Null until the service has accepted it. */
  streamId: string | null;
  state: ChatTurn['state'];
  parts: readonly DisplayedPart[];
  warnings: readonly TurnWarning[];
  pending: ApprovalRequest | null;
  /** The open question of an MCP server. */
  question: ElicitationRequest | null;
  /** Why the answer is unfinished; null if it is complete. */
  outcome: MessageOutcome | null;
  /** The stored positions of the user message and the answer, once the turn has ended. */
  userMessage: MessageVersion | null;
  answer: MessageVersion | null;
  /** Tokens per second while the model wrote; null while it is not known. */
  tps: number | null;
  /** Usage and cost of the answer, once it is complete. */
  used: Pick<ChatMessage, 'usage' | 'cost'>;
  /** Revision of the conversation, once the turn has ended. */
  revision: number | null;
}

const maxProgressChars = 4_000;

export const newTurn: Turn = {
  streamId: null,
  state: 'running',
  parts: [],
  warnings: [],
  pending: null,
  question: null,
  outcome: null,
  tps: null,
  used: {},
  revision: null,
  userMessage: null,
  answer: null,
};

export const isRunning = ({ state }: Turn): boolean =>
  state === 'running' || state === 'awaiting_approval';

export const textOfTurn = ({ parts }: Turn): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

/** Returns the turn after an event of its stream. */
export function afterEvent(turn: Turn, { event, data }: ChatEvent): Turn {
  switch (event) {
    case 'token':
      return { ...turn, parts: grown(turn.parts, 'text', data.text) };
    case 'thinking':
      return { ...turn, parts: grown(turn.parts, 'thinking', data.text) };
    case 'tool':
      return { ...turn, parts: afterTool(turn.parts, data) };
    case 'approval_requested':
      return withTurnState({ ...turn, pending: data });
    case 'approval_decided':
      return withTurnState({ ...turn, pending: null });
    case 'elicitation_requested':
      return withTurnState({ ...turn, question: data });
    case 'elicitation_decided':
      return withTurnState({ ...turn, question: null });
    case 'warning':
      return { ...turn, warnings: [...turn.warnings, data] };
    case 'done':
      return { ...turn, state: 'done', pending: null, question: null, tps: data.tps };
  }
}

/** Sets the state that matches the pending approvals and questions. */
export const withTurnState = (turn: Turn): Turn => ({
  ...turn,
  state: turn.pending || turn.question ? 'awaiting_approval' : 'running',
});

function grown(
  parts: readonly DisplayedPart[],
  type: 'text' | 'thinking',
  text: string,
): readonly DisplayedPart[] {
  const last = parts.at(-1);
  if (last?.type !== type) return [...parts, { type, text }];
  return parts.with(-1, { type, text: last.text + text });
}

type ToolEvent = Extract<ChatEvent, { event: 'tool' }>['data'];

function afterTool(parts: readonly DisplayedPart[], event: ToolEvent): readonly DisplayedPart[] {
  if (event.phase === 'call') {
    const { id, name, arguments: args } = event;
    return [...parts, { type: 'tool', id, name, arguments: args }];
  }
  return parts.map((part) => {
    if (part.type !== 'tool' || part.id !== event.id) return part;
    if (event.phase === 'progress')
      return { ...part, progress: ((part.progress ?? '') + event.text).slice(-maxProgressChars) };
    const { progress: _, ...rest } = part;
    return { ...rest, success: event.success, output: event.output };
  });
}

/** Merges the snapshot of the service into the turn; longer live output is preserved. */
export function afterSnapshot(turn: Turn, snapshot: ChatTurn): Turn {
  const livePartsById = new Map(
    turn.parts.flatMap((part) => (part.type === 'tool' ? [[part.id, part] as const] : [])),
  );
  const { usage, cost } = snapshot;
  return {
    ...turn,
    used: { ...(usage && { usage }), ...(cost && { cost }) },
    streamId: snapshot.streamId,
    state: snapshot.state,
    warnings: warningsOf(snapshot),
    parts: snapshot.parts.map((part) => {
      const livePart = part.type === 'tool' ? livePartsById.get(part.id) : undefined;
      if (part.type !== 'tool' || livePart === undefined) return part;
      return livePart.output === undefined ? { ...livePart, ...part } : livePart;
    }),
    pending: snapshot.pendingApproval ?? null,
    question: snapshot.pendingElicitation ?? null,
    outcome: snapshot.outcome ?? null,
    userMessage: snapshot.said ?? null,
    answer: snapshot.answer ?? null,
    revision: snapshot.revision ?? null,
  };
}

const warningsOf = ({ warnings, warningMessages = [] }: ChatTurn): TurnWarning[] =>
  warnings.map((message, index) => ({ message, text: warningMessages[index] ?? undefined }));
