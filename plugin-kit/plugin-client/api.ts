/** What `ready()` resolves with. */
export interface HostFacts {
  /** Version of the bridge; the same as `PluginClient.protocolVersion`. */
  protocolVersion: string;
  pluginId: string;
  theme: Theme;
  /** A language tag such as `en` or `zh-CN`. */
  locale: string;
}

export type Theme = 'light' | 'dark';

/** How far a call is. Both fields are optional: a worker may say only one of them. */
export interface Progress {
  /** 0 to 100. */
  percent?: number;
  message?: string;
}

/** What listeners of `on` receive. */
export interface PluginEvents {
  theme: Theme;
  locale: string;
  progress: Progress & { callId: string };
}

/** Options of one call of the plugin's worker. */
export interface InvokeOptions {
  /** 1 to 200 characters, unique among the running calls of this plugin. Made up when absent. */
  callId?: string;
  /** Aborting cancels the call; the host then restarts the plugin's worker. */
  signal?: AbortSignal;
  /** Called as the worker reports progress. A host that has no such channel never calls it. */
  onProgress?: (progress: Progress) => void;
}

export type FileAccess = 'read' | 'write' | 'read-write';

/** Stands for a file or directory that the user granted; hand it to `invoke` as it is, whole. */
export interface FileRef {
  id: string;
  name: string;
  kind: 'file' | 'directory';
  access: FileAccess;
  /** Bytes; of a directory those of all its files when it was granted. */
  size: number;
}

/** A notification that the page shows in its own area; longer texts are refused. */
export interface PluginNotification {
  level: 'info' | 'success' | 'warning' | 'error';
  /** 1 to 200 characters of plain text. */
  title: string;
  /** Plain text, up to 4 000 characters. */
  body?: string;
  /** A path inside the shell or an https URL. */
  link?: string;
}

/** Where a notification went: to the host's centre, or only to the area of this page. */
export interface NotifyOutcome {
  center: 'host' | 'page';
}

/**
 * What every method rejects with.
 *
 * `code` is a number of JSON-RPC 2.0. Besides the standard ones and those of the worker itself:
 * -32001 the worker crashed, -32002 cancelled, -32003 the plugin is disabled, -32004 timed out,
 * -32010 another version of the bridge, -32011 not ready, -32012 too many calls at a time,
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
  /** What this host offers beyond the basic calls, such as `files`. Filled by `ready()`. */
  readonly capabilities: readonly string[];
  /**
   * Connects to the host. Rejects 10 s after the page was loaded when there is no host, and when the
   * host speaks another version of the bridge. All other methods wait for it by themselves.
   */
  ready(): Promise<HostFacts>;
  /**
   * Calls a method of the manifest in the plugin's worker and resolves with its bare result.
   * `params` must be what JSON can hold.
   */
  invoke<T = unknown>(method: string, params?: unknown, options?: InvokeOptions): Promise<T>;
  /** Resolves with whether there was such a call. The worker is torn down and started anew. */
  cancel(callId: string): Promise<boolean>;
  /**
   * Lets the user choose a file, in a dialog of the host. `read` (the default) needs the permission
   * `files.read`; anything else is for the desktop: in a browser the host gets a copy, to read.
   * Rejects with -32002 when the user cancels, with -32000 and `data.code` `missing_permission`
   * without the permission, and with -32601 where this host cannot grant that access.
   */
  pickFile(options?: { access?: FileAccess }): Promise<FileRef>;
  /**
   * The same for a directory with all that lies in it. `read-write` needs `files.write` as well; in
   * a browser what is changed is the copy.
   */
  pickDirectory(options?: { access?: FileAccess }): Promise<FileRef>;
  /** Makes an empty directory that the worker may write to. Needs the permission `files.write`. */
  createOutput(name?: string): Promise<FileRef>;
  /**
   * Offers the user to save what lies there: a directory as a zip, a file as it is. Resolves when it
   * is saved, rejects with -32002 when the user cancels. Needs the permission `files.write`.
   */
  exportOutput(ref: FileRef): Promise<void>;
  /**
   * Shows a notification: in the host's centre, or without the permission `notifications` inside
   * the area of this page, where it is not kept. Texts are shown as they are, without markup.
   */
  notify(notification: PluginNotification): Promise<NotifyOutcome>;
  /** Listens until the returned function is called. */
  on<E extends keyof PluginEvents>(
    event: E,
    listener: (value: PluginEvents[E]) => void,
  ): () => void;
}
