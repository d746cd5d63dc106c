import { rolldown } from 'rolldown';
import { recordPackages } from './packages/bundled-packages.ts';

// A classic script, because the frame has an opaque origin and cannot load modules.
const bundle = await rolldown({
  input: 'renderer-shell/answer-frame/diagram.ts',
  platform: 'browser',
  logLevel: 'warn',
  plugins: [recordPackages('answer-frame')],
});
await bundle.write({
  file: 'dist/answer-frame/diagram.js',
  format: 'iife',
  minify: true,
  codeSplitting: false,
});
await bundle.close();
