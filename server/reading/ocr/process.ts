import { serveRequests } from '#server/sandbox/serve-requests.ts';
import { readQrCodes } from '../codes.ts';
import type { ScanResponse, ScanRequest } from './contract.ts';
import { openNetworks } from './engines.ts';
import type { OpenPages } from './picture.ts';
import { openPages } from './picture.ts';
import type { Engines } from './read-page.ts';
import { readRaster } from './read-page.ts';
import { openTesseract } from './tesseract.ts';

/** Pixels along the longer side of A4: 280 dots per inch, and 190 at the second attempt. */
const [SIDE, SIDE_RETRY] = [3300, 2200];

let opened: { file: string; pages: OpenPages } | undefined;
let engines: { networks: boolean; open: Promise<Engines> } | undefined;

/** Opened once; an engine that does not run on this machine stays off. */
function enginesFor(networks: boolean): Promise<Engines> {
  if (engines?.networks !== networks) {
    const open = Promise.all([networks ? openNetworks() : null, openTesseract()]);
    engines = { networks, open: open.then(([found, tesseract]) => ({ networks: found, tesseract })) };
  }
  return engines.open;
}

async function pagesOf({ file, bytes, fileType, password }: ScanRequest): Promise<OpenPages | null> {
  if (opened?.file === file) return opened.pages;
  if (!bytes) return null;
  opened?.pages.close();
  opened = undefined;
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  opened = { file, pages: await openPages(content, fileType, password) };
  return opened.pages;
}

async function scanPage(request: ScanRequest): Promise<ScanResponse> {
  try {
    const pages = await pagesOf(request);
    if (!pages) return { needsBytes: true };
    const { raster, unit } = await pages.picture(request.page, request.isRetry ? SIDE_RETRY : SIDE);
    const { text, boxes, sure, seen } = await readRaster(await enginesFor(request.networks), raster);
    const tenths = boxes.map((edge) => Math.round(edge * unit));
    const codes = await readQrCodes(raster, unit).catch(() => []);
    return {
      scanned: { page: request.page, text, boxes: tenths, sure, seen, ...(codes.length > 0 && { codes }) },
    };
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}

// Runs in the sandbox: it gets only the file, uses the most memory of all processes, and ends when idle.
serveRequests(scanPage);
