import { join } from 'node:path';
import type { z } from 'zod';
import { PluginManifest } from '../../../contract/manifest.ts';
import { HostError } from '../../../core/host-error.ts';
import { findJsonError } from '../../../core/json-error.ts';
import {
  ArchiveProblems,
  printable,
  rejectArchive,
} from '../../../platform/archives/archive-problems.ts';
import { positionOfField, type TextPosition } from './field-line.ts';
import { nearest } from './nearest-match.ts';
import { openFile } from '../../../platform/archives/plain-open.ts';
import { type PackageListing, type PluginOrigin, readRecord } from './plugin-record.ts';
import { workerEntry } from '../workers/worker-command.ts';
import { issueMessages, type Message, msg, textOf } from '../../../messages/index.ts';

export const manifestName = 'manifest.json';
export const maxManifestBytes = 1024 ** 2;
const maxDepth = 64;
const uiDirectory = 'ui/';

/**
 * Parses the bytes of a `manifest.json`. @throws HostError 400 `invalid_package` with dotted paths
 * of the fields
 */
export function parseManifest(content: Uint8Array): PluginManifest {
  const text = parseText(content);
  return readManifest(parseJson(text), (path) =>
    hasLines(text) ? positionOfField(text, path) : null,
  );
}

/** Reads a manifest from parsed JSON; throws as `parseManifest` does. */
export function readManifest(
  value: unknown,
  positionOf: (path: readonly PropertyKey[]) => TextPosition | null = () => null,
): PluginManifest {
  const problems = new ArchiveProblems();
  const parsed = PluginManifest.safeParse(value);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const position = positionOf(issue.path) ?? positionOf(issue.path.slice(0, -1));
      const suggestion = meantWord(issue, value);
      const reason = issueMessages([issue], value)[0]?.message ?? msg('field.notValid');
      const message =
        position === null
          ? reason
          : msg('package.atLine', { reason, file: manifestName, line: position.line });
      const more = { ...position, ...(suggestion === undefined ? {} : { suggestion }) };
      problems.add(issue.path.join('.') || manifestName, message, more);
    }
    problems.throwIfAny();
    throw parsed.error;
  }
  if (!parsed.data.ui.entry.startsWith(uiDirectory)) {
    problems.fail('ui.entry', msg('package.entryBelowUi'));
  }
  return parsed.data;
}

/** Checks that the files named by the manifest exist. */
export function checkNamedFiles(
  manifest: PluginManifest,
  hasFile: (name: string) => boolean,
): void {
  const problems = new ArchiveProblems();
  const named = { 'ui.entry': manifest.ui.entry, 'worker.entry': workerEntry(manifest) };
  for (const [field, file] of Object.entries(named)) {
    if (!hasFile(file)) problems.add(field, fileMissing(file, hasFile));
  }
  problems.throwIfAny();
}

/**
 * Without this hint, an author of a Node worker who left out the runtime would search for a missing
 * jar.
 */
const fileMissing = (file: string, hasFile: (name: string) => boolean): Message =>
  file === 'backend/worker.jar' && hasFile('backend/worker.mjs')
    ? msg('package.fileNotInPackageNode', { file })
    : msg('package.fileNotInPackage', { file: printable(file) });

/** Reads the package in a directory. A text is the reason, as a clause, why it cannot be used. */
export async function readInstalled(
  directory: string,
): Promise<
  { manifest: PluginManifest; origin: PluginOrigin | null; listing?: PackageListing } | string
> {
  let listing: PackageListing | undefined;
  try {
    const record = await readRecord(directory);
    if (record !== null && 'origin' in record) return record;
    listing = record?.listing;
  } catch {
    return 'its record cannot be read';
  }
  const manifest = await readInstalledManifest(directory);
  return typeof manifest === 'string' ? manifest : { manifest, origin: null, listing };
}

async function readInstalledManifest(directory: string): Promise<PluginManifest | string> {
  try {
    // Does not follow links or wait for pipes.
    const file = await openFile(join(directory, manifestName));
    if (file === null) return 'its manifest.json cannot be read';
    try {
      const info = await file.stat();
      if (!info.isFile()) return 'its manifest.json is no file';
      if (info.size > maxManifestBytes) return 'its manifest.json is larger than 1 MiB';
      return parseManifest(await file.readFile());
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!(error instanceof HostError)) return 'its manifest.json cannot be read';
    const [first] = error.errors ?? [];
    return `its manifest is not valid (${first?.path} ${textOf(first?.message ?? '')})`;
  }
}

/** A line number is useless for a manifest in one line. */
const hasLines = (text: string): boolean => text.trim().includes('\n');

function parseText(content: Uint8Array): string {
  if (content.length > maxManifestBytes)
    rejectArchive(manifestName, msg('package.manifestTooLarge'));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return rejectArchive(manifestName, msg('package.notJson'));
  }
}

function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const found = hasLines(text) ? findJsonError(text) : null;
    rejectArchive(
      manifestName,
      found === null
        ? msg('package.notJson')
        : msg('package.notJsonAt', { line: found.line, column: found.column }),
      found === null ? {} : { line: found.line, column: found.column },
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    rejectArchive(manifestName, msg('package.notJsonObject'));
  }
  if (isDeeperThan(value, maxDepth)) {
    rejectArchive(manifestName, msg('package.tooDeep', { limit: maxDepth }));
  }
  return value;
}

/** Iterative, because recursion over a hostile document would exhaust the stack. */
function isDeeperThan(value: object, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < limit; depth += 1) {
    level = level.flatMap((item): unknown[] =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}

/** Returns the allowed value closest to the invalid one. */
function meantWord(issue: z.core.$ZodIssue, value: unknown): string | undefined {
  if (issue.code !== 'invalid_value') return undefined;
  let written = value;
  for (const key of issue.path) written = (written as Record<PropertyKey, unknown>)[key];
  return typeof written === 'string' ? nearest(written, issue.values.map(String)) : undefined;
}
