import type { FileRef } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { ExportPreview } from './export-preview.ts';
import { FileRequest } from './file-request.ts';
import type { SaveTarget } from './save-target.ts';
import type { TransferTools } from './transfer-tools.ts';

/** A page offers the user a file that its worker wrote. */
export class SaveRequest extends FileRequest<void> {
  readonly ref: FileRef;
  readonly preview: ExportPreview;
  readonly #tools: TransferTools;

  constructor(
    tools: TransferTools,
    { pluginId, ref, preview }: { pluginId: string; ref: FileRef; preview: ExportPreview },
    closing: AbortSignal,
  ) {
    super(pluginId, closing);
    this.ref = ref;
    this.preview = preview;
    this.#tools = tools;
  }

  get fileName(): string {
    return this.preview.fileName;
  }

  async saveTo(target: SaveTarget): Promise<void> {
    const { kind, size, id } = this.ref;
    await this.carryOut(({ signal, progress }) =>
      this.#tools.limiter.run(this.pluginId, signal, async () => {
        const params = { id: this.pluginId, ref: id };
        // If the preview showed an archive, it stays one even with a single remaining file.
        const query = this.preview.kind === 'directory' ? { format: 'zip' as const } : {};
        const input = { params, query, signal };
        const { body } = await this.#tools.client.open(api.files.exportOutput, input);
        const total = kind === 'file' ? size : null;
        const counted = counting(body ?? new Blob().stream(), (done) => progress(done, total));
        await target.write(counted, signal);
      }),
    );
  }
}

/** Returns the same bytes; `onCount` receives the number so far. */
function counting(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onCount: (doneBytes: number) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let done = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      done += chunk.byteLength;
      onCount(done);
      controller.enqueue(chunk);
    },
  });
  return body.pipeThrough(counter);
}
