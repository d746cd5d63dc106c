/**
 * The address of somebody else's text that may be a live link: http or https, without a user name,
 * which reads like the place that the link leads to. Null for every other one, which stays text.
 */
export function webAddress(text: string): URL | null {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  return url?.username === '' && url.password === '' ? url : null;
}
