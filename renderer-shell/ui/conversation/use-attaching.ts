import type { Attachment, ResourceAttachment } from '../../state/chat/attachments.ts';
import { isSame } from '../../state/chat/attachments.ts';
import { attachFile, attachFolder } from '../../state/chat/attach-files.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import { useAction } from '../frame/use-action.ts';
import { useShell } from '../../state/shell.ts';

/** Attaches files to a draft. */
export interface Attaching {
  busy: boolean;
  error: unknown;
  /** Never rejects. */
  add(files: readonly File[]): Promise<void>;
  addFolder(files: readonly File[]): Promise<void>;
  addResource(resource: ResourceAttachment): void;
}

/** Uploads files and adds them to the draft. */
export function useAttaching(
  { draft }: Pick<Conversation, 'draft'>,
  attach: typeof attachFile = attachFile,
): Attaching {
  const { transfers } = useShell();
  const action = useAction();
  // Uploads may exceed the time limit of other calls.
  const client = transfers.uploading(() => undefined);
  const put = (attachment: Attachment) => {
    const { attachments } = draft.get();
    if (attachments.some((one) => isSame(one, attachment))) return;
    draft.set({ ...draft.get(), attachments: [...attachments, attachment] });
  };
  return {
    busy: action.busy,
    error: action.error,
    add: async (files) => {
      await action.run(async () => {
        for (const file of files) put(await attach(client, file));
      });
    },
    addFolder: async (files) => {
      await action.run(async () => put(await attachFolder(client, files)));
    },
    addResource: put,
  };
}
