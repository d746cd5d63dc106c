import type { Screenshot } from './computer-engine.ts';
import { encodePng, type Pixels, smallest } from './encode-png.ts';

/** Longest side that model servers accept, in pixels. */
const maxSide = 7_900;
/** Limit of the base64 text that models accept, in characters. */
const maxCharacters = 7 * 1024 ** 2;

/**
 * Encodes the pixels of a display for models, scaled down if they are too many. `scale`: pixels per
 * point.
 */
export async function pictureOf(
  pixels: Pixels,
  { display, scale }: { display: string; scale: number },
): Promise<Screenshot> {
  const { width, height } = pixels;
  let by = 1;
  while (Math.max(width, height) / by > maxSide) by *= 2;
  for (; ; by *= 2) {
    const data = (await encodePng(pixels, by)).toString('base64');
    if (data.length > maxCharacters && by < smallest) continue;
    return {
      image: { mimeType: 'image/png', data },
      width: Math.round(width / scale),
      height: Math.round(height / scale),
      scale: Math.round((scale / by) * 1_000) / 1_000,
      display,
    };
  }
}
