import type { HtmlTagDescriptor, Plugin, Rollup } from 'vite';

/** Has the browser fetch what the page goes on with while it shows the first frame. */
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
  // As modules and Vite's style sheets are asked for.
  attrs: { rel: 'preload', href: `/${file}`, as, crossorigin: true },
  injectTo: 'head',
});
