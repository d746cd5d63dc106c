/**
 * A `fetch` for uploads that reports how much of the body was sent, which `fetch` itself cannot. It
 * reads the whole response first, so it is meant for short responses.
 */
export function fetchWithProgress(
  onSent: (sentBytes: number, totalBytes: number) => void,
): (url: string, init: RequestInit) => Promise<Response> {
  return (url, { method = 'GET', headers, body, signal }) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const request = new XMLHttpRequest();
      request.open(method, url);
      new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value));
      const abort = () => request.abort();
      signal?.addEventListener('abort', abort, { once: true });
      request.upload.onprogress = ({ loaded, total }) => onSent(loaded, total);
      request.onload = () => resolve(answerOf(request));
      request.onerror = () => reject(new TypeError('The connection was lost.'));
      request.onabort = () => reject(signal?.reason as Error);
      request.onloadend = () => signal?.removeEventListener('abort', abort);
      request.send(body as XMLHttpRequestBodyInit | null | undefined);
    });
}

function answerOf({ status, statusText, responseText }: XMLHttpRequest): Response {
  return new Response(status === 204 ? null : responseText, { status, statusText });
}
