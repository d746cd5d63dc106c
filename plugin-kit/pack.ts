/** Turning the sources of plugins into packages. */
export { buildPlugins } from './build-plugins.ts';
export type {
  BuildInput,
  BuildResult,
  BuiltPlugin,
  SkippedPlugin as LeftOutPlugin,
} from './build-plugins.ts';
export { packPlugin } from './pack-plugin.ts';
export type { PackInput, PackedPlugin } from './pack-plugin.ts';
export { MissingJavac } from './javac.ts';
