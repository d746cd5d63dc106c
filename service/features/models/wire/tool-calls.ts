import { randomInt } from 'node:crypto';
import type { ModelEvent, ModelToolCall } from '../model-backend.ts';
import { ModelError } from './model-error.ts';
import type { ModelLimits } from './model-limits.ts';

/** A piece of a tool call, with what the server says about its origin. */
export interface CallPiece {
  index?: number;
  id?: string;
  name?: string;
  /** A piece of JSON text, or the complete arguments as an object. */
  arguments?: unknown;
}

interface OpenCall {
  index: number | undefined;
  id: string;
  name: string;
  pieces: string[];
}

const idLetters = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Nine letters and digits: the only form that every server accepts. */
const newCallId = (): string =>
  Array.from({ length: 9 }, () => idLetters[randomInt(idLetters.length)]).join('');

/** Assembles the tool calls of one answer from the pieces that a server sends. */
export class ToolCalls {
  private readonly calls: OpenCall[] = [];
  private characters = 0;
  private readonly limits: ModelLimits;
  private readonly ownName: (wire: string) => string;

  constructor(limits: ModelLimits, ownName: (wire: string) => string) {
    this.limits = limits;
    this.ownName = ownName;
  }

  get any(): boolean {
    return this.calls.length > 0;
  }

  add(piece: CallPiece): void {
    const call = this.continued(piece) ?? this.startCall(piece);
    if (call.name === '') call.name = piece.name ?? '';
    if (call.id === '') call.id = piece.id ?? '';
    const text = textOf(piece.arguments);
    this.characters += text.length;
    if (this.characters > this.limits.maxLineBytes) throw new ModelError('too-large');
    if (text !== '') call.pieces.push(text);
  }

  /** All calls in their order of appearance, with unique ids. */
  whole(): ModelToolCall[] {
    const taken = new Set<string>();
    return this.calls.map(({ id: providedId, name, pieces }) => {
      const id = providedId === '' || taken.has(providedId) ? newCallId() : providedId;
      taken.add(id);
      const text = pieces.join('');
      return { id, name: this.ownName(name), arguments: text.trim() === '' ? '{}' : text };
    });
  }

  events(): ModelEvent[] {
    return this.whole().map((call) => ({ type: 'tool-call', ...call }));
  }

  private startCall({ index }: CallPiece): OpenCall {
    if (this.calls.length >= this.limits.maxToolCalls) throw new ModelError('too-large');
    const call = { index, id: '', name: '', pieces: [] };
    this.calls.push(call);
    return call;
  }

  /** The call that a piece belongs to; some servers give every call the same index, others none. */
  private continued({ index, id = '', name = '' }: CallPiece): OpenCall | undefined {
    if (index === undefined) {
      if (name !== '') return undefined;
      return id === '' ? this.calls.at(-1) : this.calls.findLast((call) => call.id === id);
    }
    const call = this.calls.findLast((other) => other.index === index);
    return call && isAnother(call, id, name) ? undefined : call;
  }
}

function isAnother(call: OpenCall, id: string, name: string): boolean {
  if (name === '' || call.name === '') return false;
  return name !== call.name || (id !== '' && call.id !== '' && id !== call.id);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
