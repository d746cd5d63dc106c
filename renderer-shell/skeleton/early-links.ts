import type { HtmlTagDescriptor, Plugin, Rollup } from 'vite';

/** Makes the browser preload the page's scripts while it shows the first frame. */
export function earlyLinks(): Plugin {
  return {
    name: 'early-links',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.values(bundle).flatMap((chunk): HtmlTagDescriptor[] => {
          if (chunk.type !== 'chunk' || chunk.name !== 'start') return [];
          const scripts = [
            chunk.fileName,
            ...chunk.imports.filter((file) => !isEntry(bundle[file])),
          ];
          const styles = [...(chunk.viteMetadata?.importedCss ?? [])];
          return [
            ...scripts.map((file) => linkTo(file, 'script')),
            ...styles.map((file) => linkTo(file, 'style')),
          ];
        }),
    },
  };
}

const isEntry = (output: Rollup.OutputAsset | Rollup.OutputChunk | undefined): boolean =>
  output?.type === 'chunk' && output.isEntry;

const linkTo = (file: string, as: 'script' | 'style'): HtmlTagDescriptor => ({
  tag: 'link',
  // With the same attributes that modules and Vite's style sheets are requested with.
  attrs: { rel: 'preload', href: `/${file}`, as, crossorigin: true },
  injectTo: 'head',
});
