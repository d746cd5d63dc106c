import { readAccessibility } from './accessibility-script.ts';
import { maxReading, type PageLocation, type Reading } from './browser-engine.ts';
import { readDom, readText } from './page-scripts.ts';

/** Sends one DevTools command to the tab; Electron offers the same. */
export type Cdp = (method: string, params?: object) => Promise<unknown>;

const scriptMs = 5_000;

/** Address and title from the browser, so that they are available for a page that hangs. */
export async function pageLocation(cdp: Cdp): Promise<PageLocation> {
  const { targetInfo } = (await cdp('Target.getTargetInfo')) as { targetInfo: PageLocation };
  return { url: targetInfo.url.slice(0, 8_192), title: targetInfo.title.slice(0, 500) };
}

export async function textOfPage(cdp: Cdp): Promise<string> {
  const read = `(${readText})(${maxReading.textCharacters})`;
  return cut(String(await evaluate(cdp, read)), 'textCharacters');
}

export async function readPage(cdp: Cdp): Promise<Reading> {
  const { domCharacters, accessibilityCharacters } = maxReading;
  // In a single evaluation, since each one waits until the page is idle.
  const dom = `dom: (${readDom})(${domCharacters})`;
  const tree = `accessibility: (${readAccessibility})(${accessibilityCharacters})`;
  const read = (await evaluate(cdp, `({ ${dom}, ${tree} })`)) as Reading;
  return {
    dom: cut(read.dom, 'domCharacters'),
    accessibility: cut(read.accessibility, 'accessibilityCharacters'),
  };
}

function cut(text: string, form: keyof typeof maxReading): string {
  const limit = maxReading[form];
  const wellFormed = text.toWellFormed();
  return wellFormed.length <= limit
    ? wellFormed
    : `${wellFormed.slice(0, limit).toWellFormed()}\n… (cut here)`;
}

/** In an isolated world, which the page cannot affect by changing built-in objects. */
async function evaluate(cdp: Cdp, expression: string): Promise<unknown> {
  const { frameTree } = (await cdp('Page.getFrameTree')) as {
    frameTree: { frame: { id: string } };
  };
  const world = (await cdp('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'reading',
  })) as { executionContextId: number };
  const { result, exceptionDetails } = (await cdp('Runtime.evaluate', {
    expression,
    returnByValue: true,
    contextId: world.executionContextId,
    timeout: scriptMs,
    silent: true,
  })) as { result: { value?: unknown }; exceptionDetails?: { text?: string } };
  if (exceptionDetails)
    throw new Error(`the page could not be read: ${exceptionDetails.text ?? ''}`);
  return result.value;
}
