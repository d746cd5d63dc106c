/**
 * The fonts that every X server has lack Chinese, so the glyphs of the indicator are here: squares
 * of 24 pixels, one bit each, top row first.
 */
const glyphs: Record<string, string | undefined> = {
  模: 'AAAABAQgDAwwDH/+DH/+DAwwf4wwP7/8DD/8DjAMDj/8HzAMHbAMHb/8PB/4fAGAbH/+TH/+DAPADAZgDBw4DHgeDGAEAAAA',
  型: 'AAAAAAAAP/gYP/mYDGGYDGGYDGGYP/mYf/2YDGGYDGGYHGGYOGAYOGD4ICDwABgAABgAH//4H//4ABgAABgAf//8f//+AAAA',
  正: 'AAAAAAAAAAAAP//8P//8AAwAAAwAAAwAAAwABgwABgwABg/4Bg/4BgwABgwABgwABgwABgwABgwABgwADhwAf//+f//+AAAA',
  在: 'AAAAAEAAAGAAAMAAf//8f//8AYAAA4IAAwIADgIADgIADAIAHP/4PP/4fAIAbAIADAIADAIADAIADAIADf/8Df/8DAAAAAAA',
  使: 'AAAAAAAAAwMABgMABv/+DP/+DAMADH/8HP/8PMMMPMMMfMMMLMMMDP/8DP/8DEMADGMADD4ADB4ADB+ADPv4DfD+DYAMAAAA',
  用: 'AAAAAAAAAAAAH//4H//4GBgYGBgYGBgYH//4H//4GBgYGBgYGBgYGBgYH//4H//4GBgYOBgYMBgYMBgYcBgYYBj4YADwAAAA',
  鼠: 'AAAAAAAAD+/wH4/wGAAQH8fwH+fwGAAQGAAQH//wH//wAAAAGx8wGduwGJiwGBgwG58wGduwGNiyGBgSG9ueH58eHBgMAAAA',
  标: 'AAAABAAADAAADB/4DB/4DAAAf4AAP4AADH/8Dn/+HwGAHwGAHZGQPZmwPDmYfDGYbHGMTGGMDOGODMGGDAGADA+ADA8AAAAA',
  和: 'AAAAACAAA/AAf8f8ewf8AwYMAwYMAwYMf/YMf/YMBwYMB4YMD8YMD2YMG3YMOyYMMwYMYwYMAwf8Awf8AwYMAwYMAwAAAAAA',
  键: 'AAAAAABAGHjAGHv4Hxv8PxjMMDf+YDf+H2DMH3jMDHv8DBjADFjAP1v8P3v4DHDADHf8DDP8DDDADXjAD3wADs/+BMP8AAAA',
  盘: 'AAAAAAAAADAAB//gB//gBgBgBjBgBhhgBgBgP//8P//4DCBgHDhgGBHgAAHAD//wH//wGMYwGMYwGMYwGMYwf//+f//+AAAA',
  '。': 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGAAAfAAAZgAARgAARgAAfAAAOAAA',
  按: 'AAAABAAABAGABAGABD/8P7/+f7AGBDMGBCMEBAMABIYAB//+Hz/+fgwwfAwwBBwwBB5gBAfgBAHgBAPwDB88PHwOPHAEAAAA',
  可: 'AAAAAAAAAAAAf//+f//+AABgAABgAABgD/hgD/hgDBhgDBhgDBhgDBhgDBhgD/hgD/hgDABgAABgAABgAABgAAPgAAPAAAAA',
  停: 'AAAAAAAABgYADP/8Df/8DAAAGH/4GH/4OEAYOH/4eH/4eAAAWf/8Gf/8GYAEGf/0GH/0GAMAGAMAGAMAGAMAGD8AGB4AAAAA',
  止: 'AAAAAAQAAAwAAAwAAAwABAwABgwABgwABg/8Bg/8BgwABgwABgwABgwABgwABgwABgwABgwABgwABgwAf//+f//+AAAAAAAA',
};
const side = 24;

/**
 * The text for the server's font: a glyph is as wide as two letters, so two blanks take its place.
 */
export const fontPart = (text: string): string =>
  Array.from(text, (letter) => (letter in glyphs ? '  ' : letter)).join('');

/** The pixels of the indicator, which glyphs are painted on. */
export interface Canvas {
  /** Four bytes a pixel, top row first. */
  pixels: Buffer;
  width: number;
  height: number;
}

/**
 * Paints the glyphs of a text into the gaps that the font left; `cell` is the width of a letter.
 */
export function paintGlyphs({ pixels, width, height }: Canvas, text: string, cell: number): void {
  const size = cell * 2;
  const top = Math.floor((height - size) / 2);
  let left = 0;
  for (const letter of text) {
    const bits = Buffer.from(glyphs[letter] ?? '', 'base64');
    for (let y = 0; bits.length > 0 && y < size; y += 1)
      for (let x = 0; x < size; x += 1) {
        const bit = Math.floor((y * side) / size) * side + Math.floor((x * side) / size);
        const isInk = ((bits[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0;
        if (isInk && top + y >= 0 && top + y < height && left + x < width)
          pixels.fill(
            0xff,
            ((top + y) * width + left + x) * 4,
            ((top + y) * width + left + x + 1) * 4,
          );
      }
    left += letter in glyphs ? size : cell;
  }
}
