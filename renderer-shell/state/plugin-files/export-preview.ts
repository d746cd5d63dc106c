import type { Client } from '../../../service/client/index.ts';
import type { FileRef } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';

/** The result of an export, known before it is fetched. */
export interface ExportPreview {
  fileName: string;
  /** A `directory` is exported as an archive. */
  kind: FileRef['kind'];
  /** The first entries that cannot be packed. */
  skipped: string[];
}

/**
 * Requests what the export would contain; nothing leaves the host. Errors are reported later, when
 * it is saved.
 */
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
