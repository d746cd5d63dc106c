import { relative } from 'node:path';
import { HostError } from '../../service/core/host-error.ts';
import { hookWarnings } from '../../service/features/marketplace/package-warnings.ts';
import { acceptPackage } from '../../service/features/plugins/packages/accept-package.ts';
import { packageTexts } from '../../service/features/plugins/packages/package-archive.ts';
import { BundleError } from '../bundle/bundle-modules.ts';
import { JavaError, MissingJavac } from '../javac.ts';
import { packPlugin, type PackedPlugin } from '../pack-plugin.ts';
import { type Finding, errorAt, warningAt, nowhere, wholeFile } from './finding.ts';
import { textOf } from '../../service/messages/index.ts';

/** A package and its findings; `packed` is null if packing failed. */
export interface PackageFindings {
  packed: PackedPlugin | null;
  findings: Finding[];
}

/** Packs the plugin and checks the package like an upload. */
export async function packageFindings(
  source: string,
  output: string,
  kit: string,
): Promise<PackageFindings> {
  try {
    const packed = await packPlugin({ source, output, kit });
    const file = { path: packed.file, sha256: packed.sha256 };
    const checksum = { claimed: packed.sha256, required: true };
    const { checked } = await acceptPackage(file, { trust: 'outside', checksum });
    const { files } = await packageTexts(checked, () => false);
    const hooks = await hookWarnings(checked, files);
    const findings = hooks.map(({ path, message }) =>
      warningAt('hook_warning', wholeFile(path.replace(/: .*$/, '')), `${path} ${message}.`),
    );
    return { packed, findings };
  } catch (error) {
    return { packed: null, findings: failures(error, source) };
  }
}

function failures(error: unknown, source: string): Finding[] {
  if (error instanceof BundleError)
    return error.problems.map(({ code, file, line, column, message }) =>
      errorAt(code, { file, line, column }, sentence(message)),
    );
  if (error instanceof MissingJavac) return [errorAt('java_missing', nowhere, error.message)];
  if (error instanceof JavaError) return javaFindings(error, source);
  if (error instanceof HostError) {
    const { errors = [] } = error;
    if (errors.length === 0) return [errorAt(error.code, nowhere, error.message)];
    return errors.map(({ path, message }) =>
      errorAt(
        'package_invalid',
        path === '' ? nowhere : wholeFile(path),
        `${path} ${textOf(message)}.`,
      ),
    );
  }
  if (!(error instanceof Error)) throw error;
  return [errorAt('package_invalid', nowhere, error.message)];
}

const sentence = (message: string): string => {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
};

/** Parses javac's messages: `/…/Main.java:12: error: cannot find symbol`. */
function javaFindings({ output }: JavaError, source: string): Finding[] {
  const found = [...output.matchAll(/^(.+\.java):(\d+): (error|warning): (.*)$/gm)];
  const findings = found
    .filter(({ 3: kind }) => kind === 'error')
    .map(({ 1: file = '', 2: line, 4: message = '' }) => {
      const position = {
        file: relative(source, file).replaceAll('\\', '/'),
        line: Number(line),
        column: null,
      };
      return errorAt('java_invalid', position, sentence(message));
    });
  return findings.length > 0 ? findings : [errorAt('java_invalid', nowhere, output)];
}
