import type { Client } from '../../../service/client/index.ts';
import type { FileRef } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';

/** What a person will get, known before it is fetched. */
export interface ExportPreview {
  fileName: string;
  /** `directory`: it is packed. */
  kind: FileRef['kind'];
  /** What cannot be packed; the first of them. */
  skipped: string[];
}

/** Asks what the export would be; nothing leaves the host. What fails here is told when it is saved. */
export async function previewExport(
  client: Client,
  pluginId: string,
  ref: FileRef,
  signal: AbortSignal,
): Promise<ExportPreview> {
  const plain: ExportPreview =
    ref.kind === 'file'
      ? { fileName: ref.name, kind: 'file', skipped: [] }
      : { fileName: `${ref.name}.zip`, kind: 'directory', skipped: [] };
  if (ref.kind === 'file') return plain;
  try {
    const params = { id: pluginId, ref: ref.id };
    const headers = await client.head(api.files.exportOutput, { params, signal });
    const named = /filename\*=UTF-8''([^;]+)/.exec(headers.get('Content-Disposition') ?? '')?.[1];
    const skipped = headers.get('X-Host-Left-Out');
    return {
      fileName: named === undefined ? plain.fileName : decodeURIComponent(named),
      kind:
        headers.get('Content-Type') === 'application/octet-stream' && named ? 'file' : 'directory',
      skipped: skipped === null ? [] : (JSON.parse(decodeURIComponent(skipped)) as string[]),
    };
  } catch {
    return plain;
  }
}
