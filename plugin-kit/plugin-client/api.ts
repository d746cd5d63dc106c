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

export interface InvokeOptions {
  /** 1 to 200 characters, unique among the running calls of this plugin. Made up when absent. */
  callId?: string;
  /** Aborting cancels the call; the host then restarts the plugin's worker. */
  signal?: AbortSignal;
  /** Called as the worker reports progress. A host that has no such channel never calls it. */
  onProgress?: (progress: Progress) => void;
}

export type FileAccess = 'read' | 'write' | 'read-write';

/** Stands for a file or directory that the user granted; hand it to `invoke` as it is. */
export interface FileRef {
  id: string;
  kind: 'file' | 'directory';
  access: FileAccess;
  [key: string]: unknown;
}

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
  /** What this host offers beyond the basic calls. Filled by `ready()`; may be empty. */
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
  /** Lets the user choose a file. Needs the permission `files.read` or `files.write`. */
  pickFile(options?: { access?: FileAccess }): Promise<FileRef>;
  /** Lets the user choose a directory. Needs the permission `files.read` or `files.write`. */
  pickDirectory(options?: { access?: FileAccess }): Promise<FileRef>;
  /** Makes an empty place that the worker may write to. */
  createOutput(name?: string): Promise<FileRef>;
  /** Gives what the worker wrote there to the user. */
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
