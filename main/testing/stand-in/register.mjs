// Used with `node --import`: replaces the module `electron` with the stand-in, with real pages.
import { registerHooks } from 'node:module';

const standIn = new URL('./electron.ts', import.meta.url).href;
registerHooks({
  resolve: (name, context, next) =>
    name === 'electron' ? { url: standIn, shortCircuit: true } : next(name, context),
});
const versions = { ...process.versions, electron: '45.4.1' };
Object.defineProperty(process, 'versions', { value: versions });
Object.defineProperty(process, 'defaultApp', { value: true });
const { drive } = await import('./drive.ts');
drive();
