import { openNetworks } from '#server/reading/ocr/engines.ts';
import { openPages } from '#server/reading/ocr/picture.ts';
import type { Raster } from '#server/reading/ocr/raster.ts';
import type { Engines } from '#server/reading/ocr/read-page.ts';
import { readRaster } from '#server/reading/ocr/read-page.ts';
import { openTesseract } from '#server/reading/ocr/tesseract.ts';
import { serveRequests } from '#server/sandbox/serve-requests.ts';
import { maskFile, requestOfDrawn } from './cover.ts';
import type { MaskRequest, MaskResult } from './request.ts';

let engines: Promise<Engines> | undefined;

async function enginesFor(networks: boolean): Promise<Engines> {
  const [found, tesseract] = await Promise.all([networks ? openNetworks() : null, openTesseract()]);
  return { networks: found, tesseract };
}

/**
 * A pixel counts as dark if it differs from the paper by more than the first; a blank page has at most the second
 * share of them.
 */
const [SHADE, SPECKS] = [60, 0.002];

function isBlank({ data }: Raster): boolean {
  let dark = 0;
  let paper = 0;
  for (const shade of data) paper = Math.max(paper, shade);
  for (const shade of data) if (shade < paper - SHADE) dark += 1;
  return dark < data.length * SPECKS;
}

async function maskRequest(original: MaskRequest): Promise<MaskResult> {
  const request = await requestOfDrawn(original);
  if (!request) return { withheld: 'long' };
  const { bytes, fileType, networks } = request;
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (networks === null) return maskFile(request, null);
  let pages: Awaited<ReturnType<typeof openPages>> | undefined;
  try {
    return await maskFile(request, async (page, side) => {
      // Opened on demand: most files have no page to read.
      const using = await (engines ??= enginesFor(networks));
      pages ??= await openPages(content, fileType, '');
      const { raster, unit } = await pages.picture(page, side);
      return { read: await readRaster(using, raster), unit, blank: isBlank(raster) };
    });
  } finally {
    pages?.close();
  }
}

// Runs in the sandbox: it decodes untrusted files, and uses much memory.
serveRequests(maskRequest);
