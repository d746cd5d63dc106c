import '../../core/messages/file-translations.ts';
import type { HostBridge } from '../../../service/contract/desktop-bridge.ts';
import { hostBridge } from '../../core/host-bridge.ts';
import { PageError } from '../../core/messages/page-error.ts';

/** A browser that cannot stream to a file holds all bytes in memory before it saves. */
export const MAX_BUFFERED_BYTES = 1_000_000_000;
/** By then the browser has read all bytes. */
const REVOKE_AFTER_MS = 60_000;

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/** A destination file, not written yet. */
export interface SaveTarget {
  /** Writes everything; a failure leaves no partial file. */
  write(bytes: Bytes, signal: AbortSignal): Promise<void>;
}

const saveLimitMs = 10 * 60_000;

/** Returns a file name that is valid on every system, from free text. */
export const fileNameOf = (name: string, fallback: string): string =>
  name
    .replace(/[^\p{L}\p{N} _-]+/gu, ' ')
    .trim()
    .slice(0, 80) || fallback;

/** Asks for a destination, then writes there the body that `open` returns. */
export async function saveAs(
  fileName: string,
  open: () => Promise<Pick<Response, 'body'>>,
): Promise<void> {
  const target = await chooseSaveTarget(fileName);
  if (!target) return;
  const { body } = await open();
  if (body) await target.write(body, AbortSignal.timeout(saveLimitMs));
}

/** Missing in some browsers. */
interface FilePicking {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
}

/** Returns true if files of any size can be saved by streaming. */
export const canStreamToDisk = (): boolean =>
  hostBridge() !== undefined || 'showSaveFilePicker' in window;

/**
 * Lets the user choose a destination, if the browser can; resolves with null when the chooser is
 * closed. Needs a user gesture.
 * @throws PageError if the desktop app lets the page save nothing
 */
export async function chooseSaveTarget(fileName: string): Promise<SaveTarget | null> {
  const bridge = hostBridge();
  if (bridge) return savedBy(bridge, fileName);
  const { showSaveFilePicker } = window as FilePicking;
  if (!showSaveFilePicker) return downloads(fileName);
  try {
    return fileAt(await showSaveFilePicker.call(window, { suggestedName: fileName }));
  } catch (error) {
    if ((error as Error).name === 'AbortError') return null;
    return downloads(fileName);
  }
}

/**
 * The desktop app ignores downloads, which would only appear to be saved, so it writes the file
 * itself.
 */
async function savedBy(bridge: HostBridge, fileName: string): Promise<SaveTarget | null> {
  const id = await bridge.chooseSave(fileName).catch(() => {
    throw new PageError('fileDialog.cannotSave');
  });
  if (id === null) return null;
  return {
    async write(bytes, signal) {
      try {
        const sink = new WritableStream<Uint8Array>({
          write: (chunk) => bridge.writeSave(id, chunk),
        });
        await bytes.pipeTo(sink, { signal });
      } catch (error) {
        await bridge.endSave(id, false);
        throw error;
      }
      await bridge.endSave(id, true);
    },
  };
}

const fileAt = (handle: FileSystemFileHandle): SaveTarget => ({
  write: async (bytes, signal) => {
    await bytes.pipeTo(await handle.createWritable(), { signal });
  },
});

const downloads = (fileName: string): SaveTarget => ({
  write: async (bytes, signal) => {
    const blob = await new Response(
      bytes.pipeThrough(limitBytes(MAX_BUFFERED_BYTES), { signal }),
    ).blob();
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = fileName;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
  },
});

function limitBytes(maxBytes: number) {
  let seen = 0;
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      seen += chunk.byteLength;
      if (seen > maxBytes) throw new PageError('fileDialog.tooLargeToSave');
      controller.enqueue(chunk);
    },
  });
}
