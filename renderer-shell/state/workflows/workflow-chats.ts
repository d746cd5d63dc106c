import { ServiceError } from '../../../service/client/index.ts';
import type { Chats } from '../chat/chats.ts';
import type { Conversation } from '../chat/conversation.ts';
import type { Store } from '../../core/store.ts';
import { createStore } from '../../core/store.ts';
import type { WorkflowEditor } from './workflow-editor.ts';
import type { StoredChats } from './stored-chats.ts';

/** The conversations beside each workflow; their turns edit the open workflow. */
export class WorkflowChats {
  readonly #chats: Chats;
  readonly #remembered: StoredChats;
  readonly #current = new Map<string, Store<Conversation>>();

  constructor(chats: Chats, remembered: StoredChats) {
    this.#chats = chats;
    this.#remembered = remembered;
  }

  /** Returns the last visible conversation, or a new one. */
  of(editor: WorkflowEditor): Store<Conversation> {
    const workflowId = editor.state.get().workflow.id;
    const existing = this.#current.get(workflowId);
    if (existing && !existing.get().isClosed) {
      bind(existing.get(), editor);
      return existing;
    }
    const id = this.#remembered.get(workflowId);
    const conversation = id === undefined ? this.#chats.start() : this.#chats.of(id);
    const current = existing ?? createStore(conversation);
    this.#current.set(workflowId, current);
    this.#show(current, conversation, editor);
    return current;
  }

  /** Shows another conversation; null starts a new one. */
  open(editor: WorkflowEditor, id: string | null): Conversation {
    const conversation = id === null ? this.#chats.start() : this.#chats.of(id);
    this.#show(this.of(editor), conversation, editor);
    return conversation;
  }

  #show(current: Store<Conversation>, conversation: Conversation, editor: WorkflowEditor): void {
    const { id: workflowId } = bind(conversation, editor);
    current.set(conversation);
    const onChange = (): void => {
      if (current.get() !== conversation) return leave();
      const { id, kind, error } = conversation.state.get();
      if (kind === 'failed' && isNotFound(error)) return void this.open(editor, null);
      this.#remembered.set(workflowId, id);
    };
    const leave = conversation.state.subscribe(onChange);
    onChange();
  }

  /** Called when the workflow is removed. */
  forget(workflowId: string): void {
    this.#current.delete(workflowId);
    this.#remembered.set(workflowId, null);
  }
}

function bind(conversation: Conversation, editor: WorkflowEditor): { id: string } {
  const { id } = editor.state.get().workflow;
  conversation.binding = { workflowId: id, save: () => editor.saved() };
  return { id };
}

const isNotFound = (error: unknown): boolean =>
  error instanceof ServiceError && error.problem.status === 404;
