import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { leanContract } from './lean-contract.ts';

const here = import.meta.dirname;

export default defineConfig({
  root: here,
  base: '/',
  plugins: [leanContract(), react()],
  build: {
    outDir: join(here, '../dist/renderer-shell'),
    emptyOutDir: true,
    assetsDir: 'assets',
    // The browsers are Electron's Chromium and current ones.
    target: 'es2022',
    // The content security policy allows no `data:` fonts; images stay files as well.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_500,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What the page begins with is there after one request in place of forty.
          groups: [{ name: 'start', tags: ['$initial'] }],
        },
      },
    },
  },
});
