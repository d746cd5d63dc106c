const maxLength = 60;

/** A name that `/` can call: letters, digits and hyphens. */
export const promptName = (title: string): string =>
  title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_.-]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, maxLength) || 'prompt';
