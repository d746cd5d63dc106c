import { join } from 'node:path';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ServiceError } from '../../client/index.ts';
import { api } from '../../contract/index.ts';
import { writeZip } from '../../platform/archives/write-zip.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { useFolder, useForFile } from '../../testing/use-for-file.ts';

const folder = await useFolder('foreign-upload-');
const host = await useForFile(startTestHost());

async function zipOf(name: string, files: Record<string, string | object>) {
  const file = join(folder, name);
  const entries = Object.entries(files).map(([path, content]) => ({
    path,
    bytes: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
  }));
  await mkdir(folder, { recursive: true });
  const sha256 = await writeZip(file, entries);
  return { file: new Blob([await readFile(file)]), fileName: name, sha256 };
}

const mcpb = {
  manifest_version: '0.3',
  name: 'greeter',
  version: '1.0.0',
  server: { type: 'node', entry_point: 'server.mjs' },
  user_config: { key: { type: 'string', title: 'Key' }, odd: { type: 'colour', title: 'C' } },
  prompts: [],
};
const bundle = { 'manifest.json': mcpb, 'server.mjs': '' };
const skill = '---\nname: review\ndescription: Reviews\n---\nRead.';

it('an MCP bundle is shown as the plugin that it becomes, with what is carried over and what is not', async () => {
  const { file, fileName, sha256 } = await zipOf('greeter.mcpb', bundle);
  const inspection = await host.client.call(api.market.inspect, { file, fileName });
  expect(inspection).toMatchObject({ id: 'mcpb.greeter', installed: false, sha256 });
  expect(inspection.conversion).toMatchObject({
    from: 'mcpb',
    carried: [
      { message: 'MCP server greeter (node)', text: { code: 'convert.server' } },
      { message: 'Setting key' },
    ],
    notCarried: [
      { message: 'user_config.odd: the host does not support this type' },
      { message: 'prompts: the host has nothing like it' },
    ],
  });
  const list = await host.client.call(api.plugins.list);
  expect(list.map(({ id }) => id)).not.toContain('mcpb.greeter');
});

it('an MCP bundle is installed by an upload, and its checksum is that of the bundle', async () => {
  const { file, fileName, sha256 } = await zipOf('again.mcpb', bundle);
  const wrong = { file, fileName, fields: { sha256: 'a'.repeat(64) } };
  const refused = await host.client.call(api.market.upload, wrong).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ServiceError);
  expect((refused as ServiceError).problem.code).toBe('checksum_mismatch');
  const input = { file, fileName, fields: { sha256 } };
  expect(await host.client.call(api.market.upload, input)).toMatchObject({
    id: 'mcpb.greeter',
    contents: { mcpServers: ['greeter'] },
    conversion: { from: 'mcpb' },
  });
  const page = await host.ask('/plugin-runtime/mcpb.greeter/index.html');
  expect(page.text).toContain('<li>greeter</li>');
  expect(await readdir(host.paths.staging)).toEqual([]);
});

it('a zipped plugin of Claude is installed, also as the archive of a repository has it', async () => {
  const plain = {
    '.claude-plugin/plugin.json': { name: 'helper' },
    'skills/review/SKILL.md': skill,
  };
  const inner = Object.entries(plain).map(([path, content]) => [`helper-main/${path}`, content]);
  for (const files of [plain, Object.fromEntries(inner) as typeof plain]) {
    const { file, fileName } = await zipOf('helper.zip', files);
    expect(await host.client.call(api.market.upload, { file, fileName })).toMatchObject({
      id: 'claude-plugin.helper',
      contents: { skills: ['review'] },
      conversion: { from: 'claude', carried: [{ message: 'Skills: review' }], notCarried: [] },
    });
  }
});

it('any other archive is refused as a package, and nothing of it stays', async () => {
  const { file, fileName } = await zipOf('other.zip', { 'readme.txt': 'x' });
  const refused = await host.client
    .call(api.market.upload, { file, fileName })
    .catch((error: unknown) => error);
  expect((refused as ServiceError).problem.code).toBe('invalid_package');
  expect(await readdir(host.paths.staging)).toEqual([]);
});
