import { build } from 'vite';
import { recordPackages } from './packages/bundled-packages.ts';

await build({
  configFile: 'renderer-shell/vite.config.ts',
  logLevel: 'warn',
  plugins: [recordPackages('shell')],
});
