import type { FileRef } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { AnyFileRequest, FileRequestService } from '../plugin-files/file-request-service.ts';
import { nativePicker } from '../plugin-files/native-picker.ts';
import type { PickOptions } from '../plugin-files/pick-request.ts';
import { PickRequest } from '../plugin-files/pick-request.ts';
import { previewExport } from '../plugin-files/export-preview.ts';
import { SaveRequest } from '../plugin-files/save-request.ts';
import type { TransferTools } from '../plugin-files/transfer-tools.ts';
import { bridgeCodes, BridgeFailure, rejectUnsupported } from './bridge-messages.ts';

const CALL_LIMIT_MS = 30_000;
/** A page that keeps asking after this many consecutive refusals can be silenced. */
const REFUSALS_BEFORE_SILENCE = 2;

/** The dependencies of `BridgeFiles`. */
export interface BridgeFilesOptions {
  pluginId: string;
  tools: TransferTools;
  requests: FileRequestService;
  /** The permissions of the plugin; null while they are loading. */
  permissions: () => readonly string[] | null;
}

/** File requests of the page in one frame. `closing` aborts when that page is unloaded. */
export class BridgeFiles {
  readonly #options: BridgeFilesOptions;
  readonly #refusals = new WeakMap<AbortSignal, number>();
  readonly #silenced = new WeakSet<AbortSignal>();

  constructor(options: BridgeFilesOptions) {
    this.#options = options;
  }

  /** Returns a copy of the file that the user chooses; on the desktop, access to the original. */
  async pick(options: PickOptions, closing: AbortSignal): Promise<FileRef> {
    this.#refuseSilenced(closing);
    this.#refuseUnpermitted(neededFor[options.access]);
    if (!canGrant(options)) return rejectUnsupported(`grant your ${options.kind} to be changed`);
    const { tools, pluginId } = this.#options;
    const request = new PickRequest(tools, pluginId, options, closing);
    await this.#put(request, closing);
    return request.outcome;
  }

  async createOutput(name: string | undefined, closing: AbortSignal): Promise<FileRef> {
    const { tools, pluginId } = this.#options;
    return tools.client.call(api.files.output, {
      params: { id: pluginId },
      body: { name },
      signal: AbortSignal.any([closing, AbortSignal.timeout(CALL_LIMIT_MS)]),
    });
  }

  /** Name and kind come from the host, because those from the page cannot be trusted. */
  async exportOutput(refId: string, closing: AbortSignal): Promise<void> {
    this.#refuseSilenced(closing);
    this.#refuseUnpermitted(neededFor.write);
    const { tools, pluginId } = this.#options;
    const granted = await tools.client.call(api.files.list, {
      params: { id: pluginId },
      signal: AbortSignal.any([closing, AbortSignal.timeout(CALL_LIMIT_MS)]),
    });
    const ref = granted.find(({ id }) => id === refId);
    if (!ref) throw refused('unknown_grant', 404, 'There is no such file for this plugin.');
    const preview = await previewExport(tools.client, pluginId, ref, closing);
    const request = new SaveRequest(tools, { pluginId, ref, preview }, closing);
    await this.#put(request, closing);
    return request.outcome;
  }

  /** Resolves when the request is settled. */
  async #put(request: AnyFileRequest, closing: AbortSignal): Promise<void> {
    const refusals = this.#refusals.get(closing) ?? 0;
    if (refusals >= REFUSALS_BEFORE_SILENCE) {
      request.silence = () => {
        this.#silenced.add(closing);
        request.cancel();
      };
    }
    this.#options.requests.put(request);
    await (request.outcome as Promise<unknown>).then(
      () => this.#refusals.set(closing, 0),
      () => this.#refusals.set(closing, refusals + 1),
    );
  }

  #refuseSilenced(closing: AbortSignal): void {
    if (!this.#silenced.has(closing)) return;
    const message = 'The user lets this page ask for nothing until it is loaded again.';
    throw new BridgeFailure(bridgeCodes.cancelled, message);
  }

  /**
   * Avoids asking the user for a file that the plugin is not permitted to have; the host checks
   * again.
   */
  #refuseUnpermitted(needed: readonly string[]): void {
    const permissions = this.#options.permissions();
    const missing =
      permissions === null ? [] : needed.filter((each) => !permissions.includes(each));
    if (missing.length === 0) return;
    const message = `The plugin does not have the permission ${missing.join(' and ')}.`;
    throw refused('missing_permission', 403, message);
  }
}

const neededFor = {
  read: ['files.read'],
  write: ['files.write'],
  'read-write': ['files.read', 'files.write'],
} as const satisfies Record<FileRef['access'], readonly string[]>;

/**
 * A browser provides copies only: write-only access makes no sense, and a single file is read-only.
 */
function canGrant({ kind, access }: PickOptions): boolean {
  if (nativePicker() || access === 'read') return true;
  return kind === 'directory' && access === 'read-write';
}

/** Returns an error in the format of the service's problems, which a page may receive as well. */
const refused = (code: string, status: number, message: string) =>
  new BridgeFailure(bridgeCodes.failed, message, { code, status });
