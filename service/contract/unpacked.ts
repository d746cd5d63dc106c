import { z } from 'zod';
import { endpoint, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';
import { PluginId } from './manifest.ts';

/** A problem that the plugin kit found in a folder; in English. */
export const UnpackedFinding = z.object({
  severity: z.enum(['error', 'warning']),
  /** A stable identifier such as `manifest_field`. */
  code: z.string(),
  /** Path relative to the folder; null: the whole plugin. */
  file: z.string().nullable(),
  /** From 1. */
  line: z.int().nullable(),
  column: z.int().nullable(),
  message: z.string(),
  /** The value that was probably meant. */
  suggestion: z.string().optional(),
});
export type UnpackedFinding = z.output<typeof UnpackedFinding>;

/**
 * - `starting`: the first result is pending
 * - `watching`: the folder is installed in its current state
 * - `refused`: the last change was not installed; the previous version stays
 * - `failed`: the folder is no longer watched; load it again to retry
 */
export const UnpackedState = z.enum(['starting', 'watching', 'refused', 'failed']);
export type UnpackedState = z.output<typeof UnpackedState>;

export const UnpackedPlugin = z.object({
  /** Identifies the folder in API paths; stable for the same folder. */
  key: z.string(),
  /** Absolute path. */
  directory: z.string(),
  /** Id of the plugin that is installed from the folder; null if there is none yet. */
  id: z.string().nullable(),
  version: z.string().nullable(),
  /** ISO 8601, UTC. */
  installedAt: z.string().nullable(),
  state: UnpackedState,
  /** Reason why the last change was refused, or why the folder is not watched. */
  reason: z.string().optional(),
  reasonMessage: HostMessage.optional(),
  /** Findings of the last change; warnings if it was installed. */
  findings: z.array(UnpackedFinding),
});
export type UnpackedPlugin = z.output<typeof UnpackedPlugin>;

const directory = z.string().min(1).max(4_096);

export const PluginTemplate = z.enum(['node', 'typescript', 'java']);
export type PluginTemplate = z.output<typeof PluginTemplate>;

export const NewUnpackedPlugin = z.object({
  /** Absolute path of a new or empty folder. */
  directory,
  id: PluginId,
  name: z.string().trim().min(1).max(200),
  runtime: PluginTemplate,
});
export type NewUnpackedPlugin = z.output<typeof NewUnpackedPlugin>;

const problems = ['developer_mode_off'];
const loadProblems = [
  ...problems,
  'invalid_folder',
  'reserved_identity',
  'folder_loaded',
  'plugin_installed',
  'kit_missing',
  'not_chosen',
];

/** Plugins that are installed from local folders, and again after each change. */
export const unpacked = {
  list: endpoint({
    method: 'GET',
    path: '/api/plugin-unpacked',
    access: token,
    summary:
      'Folders that are loaded as plugins in developer mode, and how their last change ended',
    reply: z.array(UnpackedPlugin),
    problems,
  }),
  load: endpoint({
    method: 'POST',
    path: '/api/plugin-unpacked',
    access: token,
    summary: 'Load a folder as a plugin: it is installed now and after each change',
    body: z.object({ directory }),
    reply: UnpackedPlugin,
    status: 201,
    problems: loadProblems,
  }),
  make: endpoint({
    method: 'POST',
    path: '/api/plugin-unpacked/new',
    access: token,
    summary:
      'Make a plugin from the templates of the plugin kit in a new or empty folder, and load it',
    body: NewUnpackedPlugin,
    reply: UnpackedPlugin,
    status: 201,
    problems: [...loadProblems, 'folder_not_empty', 'kit_failed'],
  }),
  unload: endpoint({
    method: 'DELETE',
    path: '/api/plugin-unpacked/{key}',
    access: token,
    summary: 'Unload a folder: its plugin is uninstalled, its data and the folder stay',
    params: z.object({ key: z.string().max(100) }),
    problems: [...problems, 'unknown_folder'],
  }),
} as const;
