import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runTool } from './run-tool.ts';

/** Fields of the package's header. */
export interface RpmFields {
  name: string;
  version: string;
  /** Architecture name of rpm, such as `x86_64`. */
  architecture: string;
  summary: string;
  description: string;
  license: string;
  url: string;
  packager: string;
  requires: readonly string[];
  recommends: readonly string[];
  conflicts: readonly string[];
}

/** Input of `buildRpm`. */
export interface RpmParts {
  /** Folder with the files as they will be below `/`. */
  root: string;
  fields: RpmFields;
  /** Shell scripts that run after the installation and after the removal. */
  scripts: { post: string; postun: string };
  /** Build time, in seconds since 1970. */
  time: number;
  output: string;
  /** gzip level, 0 to 9. Every rpm version reads gzip. */
  level: number;
}

/**
 * Writes an rpm package.
 * @throws Error if rpmbuild is missing or fails
 */
export function buildRpm({ root, fields, scripts, time, output, level }: RpmParts): void {
  const work = mkdtempSync(join(tmpdir(), 'rpm-'));
  try {
    const spec = join(work, 'package.spec');
    writeFileSync(spec, specOf(root, fields, scripts));
    const defined = {
      _topdir: work,
      _rpmdir: work,
      _buildhost: 'localhost',
      _binary_payload: `w${level}.gzdio`,
      use_source_date_epoch_as_buildtime: '1',
      clamp_mtime_to_source_date_epoch: '1',
      // Turns off post-processing: no stripping, compiling or linking.
      __os_install_post: '%{nil}',
      debug_package: '%{nil}',
      _build_id_links: 'none',
    };
    const defines = Object.entries(defined).flatMap(([name, value]) => [
      '--define',
      `${name} ${value}`,
    ]);
    runTool('rpmbuild', ['-bb', '--target', fields.architecture, ...defines, spec], {
      SOURCE_DATE_EPOCH: String(time),
    });
    const folder = join(work, fields.architecture);
    const [made] = readdirSync(folder);
    if (made === undefined) throw new Error('rpmbuild made no package.');
    mkdirSync(dirname(output), { recursive: true });
    runTool('mv', [join(folder, made), output]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** A percent sign starts a macro. */
const plain = (text: string): string => text.replaceAll('%', '%%').trim();

function specOf(root: string, fields: RpmFields, { post, postun }: RpmParts['scripts']): string {
  const { requires, recommends, conflicts, description, packager, ...rest } = fields;
  const { name, version, summary, license, url } = rest;
  const tags = { Name: name, Version: version, Release: '1', Summary: summary, License: license };
  const header = [
    ...Object.entries({ ...tags, URL: url, Packager: packager }),
    ...requires.map((one) => ['Requires', one]),
    ...recommends.map((one) => ['Recommends', one]),
    ...conflicts.map((one) => ['Conflicts', one]),
    // Electron contains most of its libraries, under names that only it uses.
    ['AutoReqProv', 'no'],
  ].map(([tag = '', value = '']) => `${tag}: ${plain(value)}`);
  return [
    ...header,
    `%description\n${plain(description)}`,
    `%install\nmkdir -p "%{buildroot}"\ncp -a '${root}'/. "%{buildroot}"`,
    `%post\n${plain(post)}`,
    `%postun\n${plain(postun)}`,
    `%files\n%defattr(-,root,root,-)\n${ownPaths(root).join('\n')}`,
    '',
  ].join('\n\n');
}

/**
 * Returns the paths that the package owns: folders of the program, but not those shared by all
 * packages.
 */
function ownPaths(root: string): string[] {
  const programs = readdirSync(join(root, 'opt')).map((folder) => `"/opt/${folder}"`);
  const shared = readdirSync(join(root, 'usr'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `"/${join(parentPath, name).slice(root.length + 1)}"`);
  return [...programs, ...shared.sort()];
}
