/**
 * Returns the nonce for styles that the page creates itself; the content security policy refuses
 * all others.
 */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? '';
