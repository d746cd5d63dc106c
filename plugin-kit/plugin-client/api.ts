/** Facts about the host and the page, the result of `ready()`. */
export interface HostFacts {
  /** Version of the bridge, equal to `PluginClient.protocolVersion`. */
  protocolVersion: string;
  pluginId: string;
  theme: Theme;
  /** A language tag such as `en` or `zh-CN`. */
  locale: string;
}

export type Theme = 'light' | 'dark';

/** Progress of a call. Both fields are optional: a worker may report only one of them. */
export interface Progress {
  /** 0 to 100. */
  percent?: number;
  message?: string;
}

/** Event names and the values that listeners of `on` receive. */
export interface PluginEvents {
  theme: Theme;
  locale: string;
  progress: Progress & { callId: string };
}

/** Options of `invoke`. */
export interface InvokeOptions {
  /** 1 to 200 characters, unique among the running calls of this plugin. Generated if absent. */
  callId?: string;
  /** Aborting the signal cancels the call; the host then restarts the plugin's worker. */
  signal?: AbortSignal;
  /** Called when the worker reports progress. Never called by a host without progress events. */
  onProgress?: (progress: Progress) => void;
}

export type FileAccess = 'read' | 'write' | 'read-write';

/** A reference to a file or directory that the user granted. Pass it to `invoke` unchanged. */
export interface FileRef {
  id: string;
  name: string;
  kind: 'file' | 'directory';
  access: FileAccess;
  /** Size in bytes; for a directory, the total of all its files at the time of the grant. */
  size: number;
}

/** A notification for `notify`. */
export interface PluginNotification {
  level: 'info' | 'success' | 'warning' | 'error';
  /** Plain text of 1 to 200 characters. */
  title: string;
  /** Plain text of up to 4 000 characters. */
  body?: string;
  /** A path inside the shell or an https URL. */
  link?: string;
}

/**
 * Where a notification was shown: in the host's notification center, or only in the area of this
 * page.
 */
export interface NotifyOutcome {
  center: 'host' | 'page';
}

/**
 * The error that every method rejects with.
 *
 * `code` is a JSON-RPC 2.0 error code. Besides the standard codes and the worker's own codes:
 * -32001 the worker crashed, -32002 cancelled, -32003 the plugin is disabled, -32004 timed out,
 * -32010 another version of the bridge, -32011 not ready, -32012 too many concurrent calls,
 * -32013 message too large, -32014 no host, -32015 the host closed the connection,
 * -32016 the page belongs to another plugin, -32000 any other failure of the host.
 */
export interface PluginError extends Error {
  code: number;
  data?: unknown;
}

/** The bridge between the page of a plugin and the host. */
export interface PluginClientApi {
  readonly protocolVersion: string;
  /** Features of this host beyond the basic calls, such as `files`. Filled in by `ready()`. */
  readonly capabilities: readonly string[];
  /**
   * Connects to the host. All other methods wait for it automatically. Rejects after 10 s without a
   * host, or if the host uses another version of the bridge.
   */
  ready(): Promise<HostFacts>;
  /**
   * Calls a method of the manifest in the plugin's worker and resolves with its result. `params`
   * must be serializable as JSON.
   */
  invoke<T = unknown>(method: string, params?: unknown, options?: InvokeOptions): Promise<T>;
  /**
   * Cancels a call; the host then restarts the worker. Resolves with false if there is no such
   * call.
   */
  cancel(callId: string): Promise<boolean>;
  /**
   * Lets the user choose a file in a dialog of the host. `read`, the default access, needs the
   * permission `files.read`. Other access is only possible in the desktop app; in a browser the
   * host receives a copy to read. Rejects with -32002 if the user cancels, with -32000 and
   * `data.code` `missing_permission` without the permission, and with -32601 if this host cannot
   * grant the access.
   */
  pickFile(options?: { access?: FileAccess }): Promise<FileRef>;
  /**
   * Like `pickFile`, for a directory with everything in it. `read-write` also needs the permission
   * `files.write`; in a browser, changes apply to the copy.
   */
  pickDirectory(options?: { access?: FileAccess }): Promise<FileRef>;
  /**
   * Creates an empty directory that the worker may write to. Needs the permission `files.write`.
   */
  createOutput(name?: string): Promise<FileRef>;
  /**
   * Offers to save an output: a directory as a zip, a file as it is. Resolves once it is saved,
   * rejects with -32002 if the user cancels. Needs the permission `files.write`.
   */
  exportOutput(ref: FileRef): Promise<void>;
  /**
   * Shows a notification in the host's notification center, or, without the permission
   * `notifications`, in the area of this page, where it is not stored. Texts are shown as plain
   * text.
   */
  notify(notification: PluginNotification): Promise<NotifyOutcome>;
  /** Adds a listener. Returns a function that removes it. */
  on<E extends keyof PluginEvents>(
    event: E,
    listener: (value: PluginEvents[E]) => void,
  ): () => void;
}
