import { serveRequests } from '#server/sandbox/serve-requests.ts';
import { codesOn } from '../codes.ts';
import type { MadeScan, ScanOrder } from './contract.ts';
import { openNetworks } from './engines.ts';
import type { OpenPages } from './picture.ts';
import { openPages } from './picture.ts';
import type { Engines } from './read-page.ts';
import { readRaster } from './read-page.ts';
import { openTesseract } from './tesseract.ts';

/** Pixels along the longer side of A4: 280 dots per inch, and for what was too much at first 190. */
const [SIDE, SIDE_AGAIN] = [3300, 2200];

let opened: { file: string; pages: OpenPages } | undefined;
let engines: { networks: boolean; open: Promise<Engines> } | undefined;

/** Begun once: what does not run on this machine is left out from then on. */
function enginesFor(networks: boolean): Promise<Engines> {
  if (engines?.networks !== networks) {
    const open = Promise.all([networks ? openNetworks() : null, openTesseract()]);
    engines = { networks, open: open.then(([found, tesseract]) => ({ networks: found, tesseract })) };
  }
  return engines.open;
}

async function pagesOf({ file, bytes, fileType, password }: ScanOrder): Promise<OpenPages | null> {
  if (opened?.file === file) return opened.pages;
  if (!bytes) return null;
  opened?.pages.close();
  opened = undefined;
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  opened = { file, pages: await openPages(content, fileType, password) };
  return opened.pages;
}

async function made(order: ScanOrder): Promise<MadeScan> {
  try {
    const pages = await pagesOf(order);
    if (!pages) return { wanting: true };
    const { raster, unit } = await pages.picture(order.page, order.again ? SIDE_AGAIN : SIDE);
    const { text, boxes, sure, seen } = await readRaster(await enginesFor(order.networks), raster);
    const tenths = boxes.map((one) => Math.round(one * unit));
    const codes = await codesOn(raster, unit).catch(() => []);
    return {
      scanned: { page: order.page, text, boxes: tenths, sure, seen, ...(codes.length > 0 && { codes }) },
    };
  } catch (error) {
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}

// A process of its own, which is given nothing but the file, takes the most memory of all, and ends when nothing waits.
serveRequests(made);
