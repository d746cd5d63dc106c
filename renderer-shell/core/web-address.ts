/**
 * Returns an address from third-party text that may become a live link: http or https, without a
 * user name, and with a text that matches the target. Returns null for every other address, which
 * stays plain text.
 */
export function webAddress(text: string): URL | null {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  return url?.username === '' && url.password === '' ? url : null;
}
