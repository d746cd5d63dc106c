import '../../core/messages/file-translations.ts';
import type { HostBridge } from '../../../service/contract/desktop-bridge.ts';
import { hostBridge } from '../../core/host-bridge.ts';
import { PageError } from '../../core/messages/page-error.ts';

/** Where a browser cannot write to a file as the bytes come, it holds all of them before it saves. */
export const MAX_HELD_BYTES = 1_000_000_000;
/** The browser has taken over the bytes long before. */
const HELD_AFTER_MS = 60_000;

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>;

/** A file of the user that is about to be written. */
export interface SaveTarget {
  /** Writes everything; what fails leaves no half file. */
  write(bytes: Bytes, signal: AbortSignal): Promise<void>;
}

const saveLimitMs = 10 * 60_000;

/** A name that every system takes for a file, made of one that somebody wrote. */
export const fileNameOf = (name: string, usual: string): string =>
  name
    .replace(/[^\p{L}\p{N} _-]+/gu, ' ')
    .trim()
    .slice(0, 80) || usual;

/** Asks where to, and writes there what `open` begins to read then. */
export async function saveAs(
  fileName: string,
  open: () => Promise<Pick<Response, 'body'>>,
): Promise<void> {
  const target = await chooseSaveTarget(fileName);
  if (!target) return;
  const { body } = await open();
  if (body) await target.write(body, AbortSignal.timeout(saveLimitMs));
}

/** Not in every browser. */
interface FilePicking {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
}

/** Whether files of any size can be saved, written as they come. */
export const canStreamToDisk = (): boolean =>
  hostBridge() !== undefined || 'showSaveFilePicker' in window;

/**
 * Lets the user choose where to, as far as the browser can; null when that was closed. Needs a user
 * gesture.
 * @throws PageError on a desktop that lets the page save nothing
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

/** The desktop drops downloads, which would only seem to be saved: it writes the file itself. */
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
    const held = await new Response(bytes.pipeThrough(upTo(MAX_HELD_BYTES), { signal })).blob();
    const link = document.createElement('a');
    link.href = URL.createObjectURL(held);
    link.download = fileName;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), HELD_AFTER_MS);
  },
});

function upTo(maxBytes: number) {
  let seen = 0;
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      seen += chunk.byteLength;
      if (seen > maxBytes) throw new PageError('fileDialog.tooLargeToSave');
      controller.enqueue(chunk);
    },
  });
}
