import type { Client } from '../../../service/client/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { Attachment } from './attachments.ts';

/** What models take; larger ones go along as files. */
const maxImageBytes = 5 * 1024 ** 2;
const uploadLimitMs = 60 * 60_000;
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Images go to the model, everything else to the service for the plugins; rejects with `ServiceError`. */
export async function attachFile(client: Client, file: File): Promise<Attachment> {
  if (imageTypes.includes(file.type) && file.size <= maxImageBytes) {
    const { name, type: mimeType } = file;
    return { kind: 'image', name, mimeType, data: await base64Of(file) };
  }
  return uploadFile(client, file);
}

/** Everything to the service, images as well; rejects with `ServiceError`. */
export async function uploadFile(client: Client, file: File): Promise<Attachment> {
  const attachment = await upload(client, [{ blob: file, name: file.name }], []);
  const preview = await firstLines(file);
  return attachment.kind === 'file' && preview !== '' ? { ...attachment, preview } : attachment;
}

const previewBytes = 800;
const previewCharacters = 200;

/** The beginning of a UTF-8 text; empty for anything else. */
async function firstLines(file: File): Promise<string> {
  const text = await file
    .slice(0, previewBytes)
    .text()
    .catch(() => '');
  // The last character may be cut.
  if (/[\0-\x08\x0e-\x1a]/.test(text) || text.slice(0, -1).includes('\uFFFD')) return '';
  return text
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim()
    .slice(0, previewCharacters);
}

/** A folder with all that lies in it; each file says where. */
export function attachFolder(client: Client, files: readonly File[]): Promise<Attachment> {
  const paths = files.map((file) => file.webkitRelativePath);
  return upload(
    client,
    files.map((blob) => ({ blob, name: blob.name })),
    paths,
  );
}

async function upload(
  client: Client,
  files: { blob: Blob; name: string }[],
  paths: string[],
): Promise<Attachment> {
  const { uploadId, name, kind, size } = await client.call(api.chat.upload, {
    files,
    signal: AbortSignal.timeout(uploadLimitMs),
    fields: paths.length === 0 ? {} : { 'paths[]': paths },
  });
  return { kind, name, sizeBytes: size, uploadId };
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('The file could not be read'));
    reader.readAsDataURL(file);
  });
}
