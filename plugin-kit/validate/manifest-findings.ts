import { gt } from 'semver';
import { hostVersion, PluginManifest, type PluginWarning } from '../../service/contract/index.ts';
import { HostError } from '../../service/core/host-error.ts';
import { findJsonError } from '../../service/core/json-error.ts';
import { isObject } from '../../service/core/is-object.ts';
import { refuseReservedIdentity } from '../../service/features/plugins/packages/accept-package.ts';
import { manifestWarnings } from '../../service/features/plugins/packages/manifest-warnings.ts';
import {
  manifestName,
  parseManifest,
} from '../../service/features/plugins/packages/package-manifest.ts';
import { schemaErrors } from '../../service/features/plugins/schema-compiler.ts';
import { nearest } from '../../service/features/plugins/packages/nearest-match.ts';
import { type Finding, errorAt, warningAt } from './finding.ts';
import { nodeFindings } from './node-findings.ts';
import type { ManifestFile } from './manifest-file.ts';
import { textOf } from '../../service/messages/index.ts';

/** A parsed manifest and its findings. */
export interface ManifestFindings {
  /** Null if the host could not read it. */
  manifest: PluginManifest | null;
  findings: Finding[];
}

/** Checks the manifest with the host's own code. */
export function manifestFindings(file: ManifestFile): ManifestFindings {
  let manifest: PluginManifest;
  try {
    manifest = parseManifest(new TextEncoder().encode(file.text));
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return { manifest: null, findings: [...fieldErrors(error, file), ...unknownFields(file)] };
  }
  const findings = [
    ...identityErrors(manifest, file),
    ...methodErrors(manifest, file),
    ...schemaFindings(manifest, file),
    ...nodeFindings(manifest, file),
    ...manifestWarnings(file.value, manifest).map((warning) => warningOf(warning, file)),
  ];
  return { manifest, findings };
}

const advice: Record<string, string> = {
  version: 'Write a version such as "1.2.0".',
  id: 'Write an id such as "com.example.words".',
};

function fieldErrors({ errors = [] }: HostError, file: ManifestFile): Finding[] {
  const json = findJsonError(file.text);
  if (json !== null) {
    const { line, column } = json;
    const message = `manifest.json is not JSON: ${textOf(json.message)}. Correct it.`;
    return [errorAt('manifest_json', { file: manifestName, line, column }, message)];
  }
  return errors.map(({ path, message, suggestion }) => {
    const text = `${path} ${textOf(message).replace(/ \(manifest\.json, line \d+\)$/, '')}.`;
    const more = advice[path] === undefined ? '' : ` ${advice[path]}`;
    return errorAt('manifest_field', file.positionOf(path), text + more, suggestion);
  });
}

/** Also checks manifests with errors: a misspelled name is often the cause. */
function unknownFields(file: ManifestFile): Finding[] {
  if (!isObject(file.value)) return [];
  const placeholder = { id: 'a.a', name: 'a', version: '1.0.0' };
  const manifest = PluginManifest.parse(placeholder);
  return manifestWarnings(file.value, manifest)
    .filter(isUnknownField)
    .map((warning) => warningOf(warning, file));
}

const isUnknownField = ({ text }: PluginWarning): boolean => text?.code === 'package.unknownField';

function warningOf(warning: PluginWarning, file: ManifestFile): Finding {
  const { path, message, suggestion } = warning;
  const isUnknown = isUnknownField(warning);
  const position = isUnknown ? file.nameOf(path) : file.positionOf(path);
  const code = isUnknown ? 'unknown_field' : 'manifest_warning';
  return warningAt(code, position, `${path} ${message}.`, suggestion);
}

function identityErrors(manifest: PluginManifest, file: ManifestFile): Finding[] {
  const found: Finding[] = [];
  const { minHostVersion } = manifest;
  try {
    refuseReservedIdentity(manifest);
  } catch (error) {
    const field = manifest.official ? 'official' : 'id';
    const message =
      field === 'id'
        ? 'id begins with host., which is kept for plugins that come with the host. Take a name of your own, such as "com.example.words".'
        : 'official is kept for plugins that come with the host. Remove it.';
    if (!(error instanceof HostError)) throw error;
    found.push(errorAt('reserved_identity', file.positionOf(field), message));
  }
  if (minHostVersion !== undefined && gt(minHostVersion, hostVersion)) {
    const message = `minHostVersion asks for ${minHostVersion}, but this kit belongs to ${hostVersion}. Lower it, or take a newer kit.`;
    found.push(errorAt('host_too_old', file.positionOf('minHostVersion'), message));
  }
  return found;
}

function methodErrors(manifest: PluginManifest, file: ManifestFile): Finding[] {
  const methods = Object.keys(manifest.methods);
  return manifest.aiTools.flatMap(({ method }, index) => {
    if (methods.includes(method)) return [];
    const message = `aiTools.${index}.method names “${method}”, which is no method of the manifest. Add it to methods, or correct the name.`;
    const position = file.positionOf(`aiTools.${index}.method`);
    return [errorAt('unknown_method', position, message, nearest(method, methods))];
  });
}

/**
 * Checks all schemas. The host compiles only those of params; others are for clients and models.
 */
function schemaFindings({ methods, aiTools }: PluginManifest, file: ManifestFile): Finding[] {
  const named = [
    ...Object.entries(methods).flatMap(([name, { params, result }]) => [
      { report: errorAt, path: `methods.${name}.params`, schema: params },
      { report: warningAt, path: `methods.${name}.result`, schema: result },
    ]),
    ...aiTools.map(({ inputSchema }, index) => ({
      report: warningAt,
      path: `aiTools.${index}.inputSchema`,
      schema: inputSchema,
    })),
  ];
  return named.flatMap(({ report, path, schema = {} }) =>
    schemaErrors(schema).map((error) => {
      const full = error.path === '' ? path : `${path}.${error.path}`;
      const message = `${full} is not a JSON Schema: it ${textOf(error.message)}. Correct it.`;
      return report('schema_invalid', file.positionOf(full), message, meantType(file, full));
    }),
  );
}

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

function meantType(file: ManifestFile, path: string): string | undefined {
  if (!path.endsWith('.type')) return undefined;
  const { line, column } = file.positionOf(path);
  const rest = file.text.split('\n')[(line ?? 1) - 1]?.slice((column ?? 1) - 1) ?? '';
  const written = /^"([^"]*)"/.exec(rest)?.[1];
  return written === undefined ? undefined : nearest(written, types);
}
