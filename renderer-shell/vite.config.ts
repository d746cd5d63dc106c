import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { earlyLinks } from './skeleton/early-links.ts';
import { evaluatedMarkup } from './skeleton/evaluated-markup.ts';
import { messageGroups } from './message-groups.ts';
import { leanContract } from './lean-contract.ts';

/** All supported browsers read this format; KaTeX also ships each font in two older ones. */
function woff2Only(): Plugin {
  return {
    name: 'woff2-only',
    enforce: 'pre',
    transform: (code, id) =>
      id.endsWith('katex.min.css')
        ? code.replaceAll(/,url\([^)]+\) format\("(?:woff|truetype)"\)/g, '')
        : null,
  };
}

const here = import.meta.dirname;

export default defineConfig({
  root: here,
  base: '/',
  plugins: [woff2Only(), messageGroups(), leanContract(), evaluatedMarkup(), earlyLinks(), react()],
  build: {
    outDir: join(here, '../dist/renderer-shell'),
    emptyOutDir: true,
    assetsDir: 'assets',
    // The supported browsers are Electron's Chromium and current ones.
    target: 'es2022',
    // The content security policy allows no `data:` fonts; images stay files as well.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_500,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A few requests load the page instead of forty.
          groups: [
            { name: 'first', tags: ['$initial'], priority: 3 },
            { name: 'start', test: /renderer-shell\/start\.tsx$/, priority: 2 },
            {
              name: 'parts',
              test: /node_modules\/@(mantine|tabler|floating-ui)\//,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
});
