import { openNetworks } from '#server/reading/ocr/engines.ts';
import { openPages } from '#server/reading/ocr/picture.ts';
import type { Raster } from '#server/reading/ocr/raster.ts';
import type { Engines } from '#server/reading/ocr/read-page.ts';
import { readRaster } from '#server/reading/ocr/read-page.ts';
import { openTesseract } from '#server/reading/ocr/tesseract.ts';
import { serveRequests } from '#server/sandbox/serve-requests.ts';
import { masked } from './cover.ts';
import type { MaskOrder } from './order.ts';

let engines: Promise<Engines> | undefined;

async function enginesFor(networks: boolean): Promise<Engines> {
  const [found, tesseract] = await Promise.all([networks ? openNetworks() : null, openTesseract()]);
  return { networks: found, tesseract };
}

/** Shades by which the darkest pixels of an empty page differ from its paper, and how many may. */
const [SHADE, SPECKS] = [60, 0.002];

function isBlank({ data }: Raster): boolean {
  let dark = 0;
  let paper = 0;
  for (const shade of data) paper = Math.max(paper, shade);
  for (const shade of data) if (shade < paper - SHADE) dark += 1;
  return dark < data.length * SPECKS;
}

async function made(order: MaskOrder) {
  const { bytes, fileType, networks, password = '' } = order;
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (networks === null) return masked(order, null);
  let pages: Awaited<ReturnType<typeof openPages>> | undefined;
  try {
    return await masked(order, async (page, side) => {
      // Loaded when a page is read: most files have none.
      const using = await (engines ??= enginesFor(networks));
      pages ??= await openPages(content, fileType, password);
      const { raster, unit } = await pages.picture(page, side);
      return { read: await readRaster(using, raster), unit, blank: isBlank(raster) };
    });
  } finally {
    pages?.close();
  }
}

// A process of its own, for the reason that previews have one: it decodes what strangers have made, and takes much memory.
serveRequests(made);
