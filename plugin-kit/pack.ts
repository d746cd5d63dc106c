/** Builds packages from the sources of plugins. */
export { buildPlugins } from './build-plugins.ts';
export type { BuildInput, BuildResult, BuiltPlugin, LeftOutPlugin } from './build-plugins.ts';
export { packPlugin } from './pack-plugin.ts';
export type { PackInput, PackedPlugin } from './pack-plugin.ts';
export { MissingJavac } from './javac.ts';
