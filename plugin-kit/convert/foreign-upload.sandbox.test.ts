import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesBelow } from '../files-below.ts';
import { writeZip } from '../zip.ts';
import { api } from '../../service/contract/index.ts';
import { startTestHost } from '../../service/testing/test-host.ts';
import { useFolder, useForFile } from '../../service/testing/use-for-file.ts';

const folder = await useFolder('foreign-uploads-');
const host = await useForFile(startTestHost());
let count = 0;

async function zip(files: Record<string, string>): Promise<Blob> {
  const file = join(folder, `${(count += 1)}.zip`);
  const entries = Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
  await writeZip(file, entries);
  return new Blob([await readFile(file)]);
}

/** Packs the MCP bundle of the examples as `mcpb pack` does. */
async function bundle(): Promise<Blob> {
  const source = join(import.meta.dirname, '../../plugins/examples/unit-converter');
  const file = join(folder, 'unit-converter.mcpb');
  const paths = await filesBelow(source);
  await writeZip(
    file,
    paths.map((path) => ({ path, file: join(source, path) })),
  );
  return new Blob([await readFile(file)]);
}

const staged = () => readdir(host.paths.staging).catch((): string[] => []);

describe('an MCP bundle that is uploaded', () => {
  it('is inspected and installed as a plugin, with a list of what is converted and what is not', async () => {
    const file = await bundle();
    const sha256 = createHash('sha256')
      .update(Buffer.from(await file.arrayBuffer()))
      .digest('hex');
    const seen = await host.client.call(api.market.inspect, { file, fields: {} });
    expect(seen).toMatchObject({
      id: 'mcpb.unit-converter',
      name: 'Unit converter',
      sha256,
      installed: false,
      converted: {
        kind: 'mcpb',
        carried: [
          {
            message: 'The MCP server unit-converter (node)',
            text: {
              code: 'convert.mcpServer',
              parameters: { name: 'unit-converter', command: 'node' },
            },
          },
        ],
        notCarried: [{ message: 'compatibility: not supported by the host' }],
      },
    });
    // The preview's checksum is that of the uploaded file, as for packages.
    const installed = await host.client.call(api.market.upload, { file, fields: { sha256 } });
    expect(installed).toMatchObject({
      id: 'mcpb.unit-converter',
      contents: { mcpServers: ['unit-converter'] },
      converted: { kind: 'mcpb' },
    });
    expect(await staged()).toEqual([]);
  });

  it('is refused if its checksum differs', async () => {
    const upload = { file: await bundle(), fields: { sha256: '0'.repeat(64) } };
    await expect(host.client.call(api.market.upload, upload)).rejects.toMatchObject({
      problem: { status: 400, code: 'checksum_mismatch' },
    });
  });

  it('whose parts a package cannot have is refused with the reason', async () => {
    const file = await zip({
      'manifest.json': JSON.stringify({
        manifest_version: '0.3',
        name: 'odd',
        version: '1.0.0',
        server: { type: 'node', entry_point: 'index.mjs' },
        user_config: Object.fromEntries(
          Array.from({ length: 120 }, (_, at) => [`key${at}`, { type: 'string', title: 'Key' }]),
        ),
      }),
      'index.mjs': '',
    });
    await expect(host.client.call(api.market.inspect, { file, fields: {} })).rejects.toMatchObject({
      problem: {
        status: 400,
        code: 'invalid_package',
        detail: expect.stringMatching(
          /^The file cannot be converted to a plugin: .*userConfig/s,
        ) as string,
      },
    });
    expect(await staged()).toEqual([]);
  });
});

describe('a zipped plugin of Claude Code that is uploaded', () => {
  it.each(['', 'helper-main/'])('is installed with its skills (below "%s")', async (root) => {
    const file = await zip({
      [`${root}.claude-plugin/plugin.json`]: JSON.stringify({ name: 'Helper', version: '2.0.0' }),
      [`${root}skills/review/SKILL.md`]: '---\nname: review\ndescription: Reviews\n---\nRead.',
    });
    const installed = await host.client.call(api.market.upload, { file, fields: {} });
    expect(installed).toMatchObject({
      id: 'claude-plugin.helper',
      version: '2.0.0',
      contents: { skills: ['review'] },
      converted: { kind: 'claude', carried: [{ message: 'Skills: review' }], notCarried: [] },
    });
  });
});

it('an archive of neither kind is refused as a package', async () => {
  const file = await zip({ 'readme.txt': 'Hello' });
  await expect(host.client.call(api.market.upload, { file, fields: {} })).rejects.toMatchObject({
    problem: {
      status: 400,
      code: 'invalid_package',
      detail: expect.stringMatching(/manifest/) as string,
    },
  });
});
