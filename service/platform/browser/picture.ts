import { type Picture, viewport } from './browser-engine.ts';
import type { Cdp } from './read-page.ts';

/** Longest side that model servers accept, in pixels. */
const maxSide = 7_900;
/** Limit of the base64 text that models accept, in characters. */
const maxCharacters = 7 * 1024 ** 2;

/**
 * Captures the visible part or the whole page, cropped to the longest side and scaled down if the
 * image is too large.
 */
export async function takePicture(cdp: Cdp, fullPage: boolean): Promise<Picture> {
  const { width, height } = fullPage ? await pageSize(cdp) : viewport;
  for (let scale = Math.min(1, maxSide / Math.max(width, height)); ; scale /= 2) {
    const whole = !fullPage && scale === 1;
    const clip = { x: 0, y: 0, width, height, scale };
    const { data } = (await cdp('Page.captureScreenshot', {
      format: 'png',
      optimizeForSpeed: whole,
      ...(whole ? {} : { clip, captureBeyondViewport: fullPage }),
    })) as { data: string };
    if (data.length <= maxCharacters || scale < 0.1) return { mimeType: 'image/png', data };
  }
}

/** A page can have any length, so the size is limited. */
async function pageSize(cdp: Cdp): Promise<{ width: number; height: number }> {
  const { cssContentSize } = (await cdp('Page.getLayoutMetrics')) as {
    cssContentSize: { width: number; height: number };
  };
  return {
    width: Math.min(Math.max(Math.ceil(cssContentSize.width), 1), maxSide),
    height: Math.min(Math.max(Math.ceil(cssContentSize.height), 1), maxSide),
  };
}
