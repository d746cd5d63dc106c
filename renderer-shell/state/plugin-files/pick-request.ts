import '../../core/messages/file-translations.ts';
import type { Client } from '../../../service/client/index.ts';
import type { FileRef } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { PageError } from '../../core/messages/page-error.ts';
import type { Transfer } from './file-request.ts';
import { FileRequest } from './file-request.ts';
import type { TransferTools } from './transfer-tools.ts';

export type PickOptions = Pick<FileRef, 'kind' | 'access'>;

/** A page requests a file or a folder of the user. */
export class PickRequest extends FileRequest<FileRef> {
  readonly options: PickOptions;
  readonly #tools: TransferTools;

  constructor(tools: TransferTools, pluginId: string, options: PickOptions, closing: AbortSignal) {
    super(pluginId, closing);
    this.options = options;
    this.#tools = tools;
  }

  /** Uploads a copy of the chosen file, or of the folder that contains the files. */
  async take(files: readonly File[]): Promise<void> {
    const [first] = files;
    if (!first) return this.refuse(new PageError('fileDialog.emptyFolder'));
    const params = { id: this.pluginId };
    await this.#upload((client, signal) => {
      if (this.options.kind === 'file') {
        return client.call(api.files.upload, { params, signal, file: first, fileName: first.name });
      }
      return client.call(api.files.uploadDirectory, {
        params,
        signal,
        files: files.map((file) => ({ blob: file, name: file.name })),
        fields: {
          'paths[]': files.map((file) => file.webkitRelativePath),
          access: this.options.access === 'read' ? 'read' : 'read-write',
        },
      });
    });
  }

  /** Grants access to a path of this machine, without a copy. */
  async takePath(path: string): Promise<void> {
    await this.carryOut(({ signal }) =>
      this.#tools.client.call(api.files.native, {
        params: { id: this.pluginId },
        body: { path, ...this.options },
        signal,
      }),
    );
  }

  async #upload(send: (client: Client, signal: AbortSignal) => Promise<FileRef>): Promise<void> {
    await this.carryOut(({ signal, progress }: Transfer) =>
      this.#tools.limiter.run(this.pluginId, signal, () =>
        send(this.#tools.uploading(progress), signal),
      ),
    );
  }
}
