/** What styles need that the page makes itself: the policy of the page takes only these. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? '';
