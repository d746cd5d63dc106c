import type * as koffi from 'koffi';

/** Pixels in rows, four bytes each in the machine's byte order: 0x00RRGGBB. */
export interface TextPicture {
  pixels: Buffer;
  width: number;
  height: number;
}

/** Font and colors as 0xRRGGBB; `padding` in pixels on each side, half of it above and below. */
export interface TextStyle {
  /** In Pango's format: `Sans Bold 15px`. */
  font: string;
  color: number;
  background: number;
  padding: number;
}

/** Address of a structure of the libraries. */
type Handle = number | bigint;

/**
 * The functions of Cairo and Pango that are used, under their own names. Every desktop has these
 * libraries.
 */
interface Library {
  cairo_image_surface_create(format: number, width: number, height: number): Handle;
  cairo_surface_status(surface: Handle): number;
  cairo_surface_flush(surface: Handle): void;
  cairo_surface_destroy(surface: Handle): void;
  cairo_image_surface_get_data(surface: Handle): unknown;
  cairo_image_surface_get_stride(surface: Handle): number;
  cairo_create(surface: Handle): Handle;
  cairo_destroy(context: Handle): void;
  cairo_set_source_rgb(context: Handle, red: number, green: number, blue: number): void;
  cairo_paint(context: Handle): void;
  cairo_move_to(context: Handle, x: number, y: number): void;
  pango_cairo_create_layout(context: Handle): Handle;
  pango_cairo_show_layout(context: Handle, layout: Handle): void;
  pango_layout_set_text(layout: Handle, text: string, length: number): void;
  pango_layout_set_font_description(layout: Handle, description: Handle): void;
  pango_layout_get_pixel_size(layout: Handle, width: [number], height: [number]): void;
  pango_layout_get_unknown_glyphs_count(layout: Handle): number;
  pango_font_description_from_string(text: string): Handle;
  pango_font_description_free(description: Handle): void;
  g_object_unref(object: Handle): void;
}

const rgb24 = 1;
const maxPixels = 8_192;

/**
 * Draws a line of text with the fonts of the system, in any script. Null if the libraries are
 * missing, or no font has the letters.
 */
export async function drawText(text: string, style: TextStyle): Promise<TextPicture | null> {
  const opened = await openLibrary();
  if (opened === null) return null;
  const { library, bytesAt } = opened;
  const { font } = style;
  const measured = withLayout(library, { text, font, width: 1, height: 1 }, ({ layout }) => {
    if (library.pango_layout_get_unknown_glyphs_count(layout) > 0) return null;
    const [width, height]: [[number], [number]] = [[0], [0]];
    library.pango_layout_get_pixel_size(layout, width, height);
    return { width: width[0] + 2 * style.padding, height: height[0] + style.padding };
  });
  if (measured === null || Math.max(measured.width, measured.height) > maxPixels) return null;
  return withLayout(library, { text, font, ...measured }, ({ surface, context, layout }) => {
    library.cairo_set_source_rgb(context, ...partsOf(style.background));
    library.cairo_paint(context);
    library.cairo_set_source_rgb(context, ...partsOf(style.color));
    library.cairo_move_to(context, style.padding, style.padding / 2);
    library.pango_cairo_show_layout(context, layout);
    library.cairo_surface_flush(surface);
    const stride = library.cairo_image_surface_get_stride(surface);
    const rows = bytesAt(library.cairo_image_surface_get_data(surface), stride * measured.height);
    return { pixels: withoutGaps(rows, stride, measured), ...measured };
  });
}

interface Layout {
  surface: Handle;
  context: Handle;
  layout: Handle;
}

function withLayout<T>(
  library: Library,
  { text, font, width, height }: { text: string; font: string; width: number; height: number },
  use: (layout: Layout) => T | null,
): T | null {
  const surface = library.cairo_image_surface_create(rgb24, width, height);
  const context = library.cairo_create(surface);
  const layout = library.pango_cairo_create_layout(context);
  const description = library.pango_font_description_from_string(font);
  try {
    if (library.cairo_surface_status(surface) !== 0) return null;
    library.pango_layout_set_font_description(layout, description);
    library.pango_layout_set_text(layout, text, -1);
    return use({ surface, context, layout });
  } finally {
    library.pango_font_description_free(description);
    library.g_object_unref(layout);
    library.cairo_destroy(context);
    library.cairo_surface_destroy(surface);
  }
}

const partsOf = (color: number): [number, number, number] => [
  ((color >> 16) & 0xff) / 0xff,
  ((color >> 8) & 0xff) / 0xff,
  (color & 0xff) / 0xff,
];

function withoutGaps(
  rows: Buffer,
  stride: number,
  { width, height }: { width: number; height: number },
): Buffer {
  const pixels = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y += 1)
    rows.copy(pixels, y * width * 4, y * stride, y * stride + width * 4);
  return pixels;
}

interface Opened {
  library: Library;
  /** Copies the bytes at an address. */
  bytesAt: (address: unknown, length: number) => Buffer;
}

let opening: Promise<Opened | null> | undefined;

function openLibrary(): Promise<Opened | null> {
  opening ??= load().catch(() => null);
  return opening;
}

async function load(): Promise<Opened> {
  const { decode, load: open } = await import('koffi');
  const [cairo, pango, pangoCairo, object] = [
    'libcairo.so.2',
    'libpango-1.0.so.0',
    'libpangocairo-1.0.so.0',
    'libgobject-2.0.so.0',
  ].map((name) => open(name)) as [Native, Native, Native, Native];
  const [pointer, double] = ['intptr_t', 'double'];
  const library: Record<keyof Library, unknown> = {
    cairo_image_surface_create: cairo.func('cairo_image_surface_create', pointer, [
      'int',
      'int',
      'int',
    ]),
    cairo_surface_status: cairo.func('cairo_surface_status', 'int', [pointer]),
    cairo_surface_flush: cairo.func('cairo_surface_flush', 'void', [pointer]),
    cairo_surface_destroy: cairo.func('cairo_surface_destroy', 'void', [pointer]),
    cairo_image_surface_get_data: cairo.func('cairo_image_surface_get_data', 'void *', [pointer]),
    cairo_image_surface_get_stride: cairo.func('cairo_image_surface_get_stride', 'int', [pointer]),
    cairo_create: cairo.func('cairo_create', pointer, [pointer]),
    cairo_destroy: cairo.func('cairo_destroy', 'void', [pointer]),
    cairo_set_source_rgb: cairo.func('cairo_set_source_rgb', 'void', [
      pointer,
      double,
      double,
      double,
    ]),
    cairo_paint: cairo.func('cairo_paint', 'void', [pointer]),
    cairo_move_to: cairo.func('cairo_move_to', 'void', [pointer, double, double]),
    pango_cairo_create_layout: pangoCairo.func('pango_cairo_create_layout', pointer, [pointer]),
    pango_cairo_show_layout: pangoCairo.func('pango_cairo_show_layout', 'void', [pointer, pointer]),
    pango_layout_set_text: pango.func('pango_layout_set_text', 'void', [pointer, 'str', 'int']),
    pango_layout_set_font_description: pango.func('pango_layout_set_font_description', 'void', [
      pointer,
      pointer,
    ]),
    pango_layout_get_pixel_size: pango.func(
      'void pango_layout_get_pixel_size(intptr_t layout, _Out_ int *width, _Out_ int *height)',
    ),
    pango_layout_get_unknown_glyphs_count: pango.func(
      'pango_layout_get_unknown_glyphs_count',
      'int',
      [pointer],
    ),
    pango_font_description_from_string: pango.func('pango_font_description_from_string', pointer, [
      'str',
    ]),
    pango_font_description_free: pango.func('pango_font_description_free', 'void', [pointer]),
    g_object_unref: object.func('g_object_unref', 'void', [pointer]),
  };
  return {
    library: library as unknown as Library,
    bytesAt: (address, length) =>
      Buffer.from(decode(address as never, 'uint8_t', length) as Uint8Array),
  };
}

type Native = ReturnType<typeof koffi.load>;
