import { SourceMap, type SourceMapPayload } from 'node:module';
import { BundleError, bundleModule, type BundleInput } from '../bundle/bundle-modules.ts';
import type { Finding } from './finding.ts';
import { scriptFindings } from './script-findings.ts';

/**
 * Finds blocked calls in page scripts that are bundled, and reports them at their source position.
 * Calls inside npm packages are not reported.
 */
export async function bundledPageFindings(
  directory: string,
  bundles: readonly Omit<BundleInput, 'directory'>[],
  methods: readonly string[] | null,
): Promise<Finding[]> {
  const found = await Promise.all(
    bundles.map((bundle) => findingsOf({ ...bundle, directory }, methods)),
  );
  return found.flat();
}

async function findingsOf(
  input: BundleInput,
  methods: readonly string[] | null,
): Promise<Finding[]> {
  const { path, bytes, map } = await bundleModule({ ...input, withMap: true }).catch(
    (error: unknown) => {
      // Packing reports its own problems.
      if (error instanceof BundleError) return { path: '', bytes: Buffer.alloc(0), map: undefined };
      throw error;
    },
  );
  if (map === undefined) return [];
  const sources = new SourceMap(JSON.parse(map) as SourceMapPayload);
  return scriptFindings(path, String(bytes), { sourceType: 'module', methods }).flatMap(
    (finding) => {
      const { line, column } = finding;
      if (line === null || column === null) return [];
      const written = sources.findEntry(line - 1, column - 1);
      if (!('originalSource' in written)) return [];
      const { originalSource, originalLine, originalColumn } = written;
      if (/(?:^|\/)node_modules\//.test(originalSource)) return [];
      return [
        { ...finding, file: originalSource, line: originalLine + 1, column: originalColumn + 1 },
      ];
    },
  );
}
