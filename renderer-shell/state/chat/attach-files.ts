import type { Client } from '../../../service/client/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { Attachment } from './attachments.ts';

/** The limit of the models; larger images are sent as files. */
const maxImageBytes = 5 * 1024 ** 2;
const uploadLimitMs = 60 * 60_000;
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/**
 * Sends images to the model and all other files to the service for plugins; rejects with
 * `ServiceError`.
 */
export async function attachFile(client: Client, file: File): Promise<Attachment> {
  if (imageTypes.includes(file.type) && file.size <= maxImageBytes) {
    const { name, type: mimeType } = file;
    return { kind: 'image', name, mimeType, data: await base64Of(file) };
  }
  return uploadFile(client, file);
}

/** Uploads any file to the service, images included; rejects with `ServiceError`. */
export async function uploadFile(client: Client, file: File): Promise<Attachment> {
  const attachment = await upload(client, [{ blob: file, name: file.name }], []);
  const preview = await firstLines(file);
  return attachment.kind === 'file' && preview !== '' ? { ...attachment, preview } : attachment;
}

const previewBytes = 800;
const previewCharacters = 200;

/** Returns the beginning of a UTF-8 text; an empty text for anything else. */
async function firstLines(file: File): Promise<string> {
  const text = await file
    .slice(0, previewBytes)
    .text()
    .catch(() => '');
  // The last character may be truncated.
  if (/[\0-\x08\x0e-\x1a]/.test(text) || text.slice(0, -1).includes('\uFFFD')) return '';
  return text
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim()
    .slice(0, previewCharacters);
}

/** Uploads a folder with everything in it; each file has its relative path. */
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
