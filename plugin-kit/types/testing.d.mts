import type { FrameLocator, Page } from 'playwright-core';

/** Stands for a file or folder that the worker was granted; hand it to `call` as it is, whole. */
export interface FileRef {
  id: string;
  name: string;
  kind: 'file' | 'directory';
  access: 'read' | 'write' | 'read-write';
  size: number;
}

export interface StartOptions {
  /** The plugin's folder; default: the nearest one with a `manifest.json`, from the current folder up. */
  directory?: string;
  /** Values for the `userConfig` of the manifest. */
  config?: Record<string, unknown>;
  /** Default `en`. */
  locale?: string;
  /** Default true. Without a sandbox the plugin may do all that you may. */
  sandbox?: boolean;
}

export interface CallOptions {
  callId?: string;
  signal?: AbortSignal;
  onProgress?: (progress: { percent?: number; message?: string }) => void;
}

export interface OpenedPage {
  /** Of playwright: the page around the frame. */
  page: Page;
  /** The plugin's page in it: `frame.getByRole('button')`. */
  frame: FrameLocator;
  /** Errors of scripts, and what the policy of plugin pages blocked. */
  errors: string[];
  /** What the next `pickFile` or `pickDirectory` of the page answers with; null: the person cancels. */
  pick(ref: FileRef | null): void;
  /** What the page has offered to save. */
  exported: FileRef[];
  close(): Promise<void>;
}

export interface LogEvent {
  timestamp: string;
  level: string;
  logger: string | null;
  thread: string | null;
  message: string;
  sequence: number;
}

/** A plugin that runs as it does in the host: packed, installed, its worker in the sandbox. */
export interface StartedPlugin {
  readonly id: string;
  readonly manifest: { name: string; version: string; [key: string]: unknown };
  /** Calls a method of the manifest and gives its result; rejects with `PluginCallError`. */
  call<T = any>(method: string, params?: unknown, options?: CallOptions): Promise<T>;
  /** Grants a copy of a file or folder, as a person does who picks it. */
  grantFile(path: string, access?: 'read' | 'read-write'): Promise<FileRef>;
  /** Grants a file with that text. */
  grantText(name: string, text: string): Promise<FileRef>;
  /** An empty folder that the worker may write to. */
  createOutput(name?: string): Promise<FileRef>;
  /** Names of what lies in a folder that the worker was granted. */
  filesIn(ref: FileRef): Promise<string[]>;
  readFileIn(ref: FileRef, name: string): Promise<Buffer>;
  /** What the worker and the page have logged, oldest first. */
  log(): LogEvent[];
  /** Opens the page of the plugin in Chromium, in a frame as the host has it. */
  page(options?: { theme?: 'light' | 'dark'; locale?: string }): Promise<OpenedPage>;
  close(): Promise<void>;
}

/** A call that the worker answered with an error, or that the host refused. */
export declare class PluginCallError extends Error {
  /** Of JSON-RPC; 0 where the host refused the call. */
  readonly code: number;
  readonly data: unknown;
}

/** Packs the plugin, installs it and makes it ready to be called. Close it at the end. */
export declare function startPlugin(options?: StartOptions): Promise<StartedPlugin>;
