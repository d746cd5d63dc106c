import { ServiceError } from '../../../service/client/index.ts';
import type { Chats } from '../chat/chats.ts';
import type { Conversation } from '../chat/conversation.ts';
import type { Store } from '../../core/store.ts';
import { createStore } from '../../core/store.ts';
import type { FlowEditor } from './flow-editor.ts';
import type { RememberedChats } from './remembered-chats.ts';

/** The conversation beside each workflow: its turns are about what is open there. */
export class FlowChats {
  readonly #chats: Chats;
  readonly #remembered: RememberedChats;
  readonly #shown = new Map<string, Store<Conversation>>();

  constructor(chats: Chats, remembered: RememberedChats) {
    this.#chats = chats;
    this.#remembered = remembered;
  }

  /** The one that was shown last, or one that begins. */
  of(editor: FlowEditor): Store<Conversation> {
    const workflowId = editor.state.get().workflow.id;
    const known = this.#shown.get(workflowId);
    if (known && !known.get().isClosed) {
      bind(known.get(), editor);
      return known;
    }
    const id = this.#remembered.get(workflowId);
    const conversation = id === undefined ? this.#chats.begin() : this.#chats.of(id);
    const shown = known ?? createStore(conversation);
    this.#shown.set(workflowId, shown);
    this.#show(shown, conversation, editor);
    return shown;
  }

  /** Shows another one; null: one that begins. */
  open(editor: FlowEditor, id: string | null): Conversation {
    const conversation = id === null ? this.#chats.begin() : this.#chats.of(id);
    this.#show(this.of(editor), conversation, editor);
    return conversation;
  }

  #show(shown: Store<Conversation>, conversation: Conversation, editor: FlowEditor): void {
    const { id: workflowId } = bind(conversation, editor);
    shown.set(conversation);
    const look = (): void => {
      if (shown.get() !== conversation) return leave();
      const { id, kind, error } = conversation.state.get();
      if (kind === 'failed' && isGone(error)) return void this.open(editor, null);
      this.#remembered.set(workflowId, id);
    };
    const leave = conversation.state.subscribe(look);
    look();
  }

  /** With the workflow. */
  forget(workflowId: string): void {
    this.#shown.delete(workflowId);
    this.#remembered.set(workflowId, null);
  }
}

function bind(conversation: Conversation, editor: FlowEditor): { id: string } {
  const { id } = editor.state.get().workflow;
  conversation.binding = { workflowId: id, save: () => editor.saved() };
  return { id };
}

const isGone = (error: unknown): boolean =>
  error instanceof ServiceError && error.problem.status === 404;
