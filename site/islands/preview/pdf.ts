import type { PDFDocumentProxy } from 'pdfjs-dist';
import { getDocument, GlobalWorkerOptions } from 'pdfjs-dist';
// oxlint-disable-next-line import/default -- `?url` gives the file's address
import worker from 'pdfjs-dist/build/pdf.worker.min.mjs?url';

GlobalWorkerOptions.workerSrc = worker;

/** Assets that pdf.js requests by name: character maps, the fourteen standard fonts, decoders of scanned images. */
const PARTS: Record<string, string> = import.meta.glob(
  [
    '/node_modules/pdfjs-dist/cmaps/*.bcmap',
    '/node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}',
    '/node_modules/pdfjs-dist/wasm/{jbig2,openjpeg}.wasm',
  ],
  { query: '?url&no-inline', import: 'default', eager: true },
);
const byName = new Map(
  Object.entries(PARTS).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1), url]),
);

/** pdf.js expects assets in one folder under their original names; this maps the names to the build's hashed URLs. */
class Parts {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const url = byName.get(filename);
    if (!url) throw new Error(`There is no ${filename}.`);
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${filename} could not be loaded.`);
    return new Uint8Array(await response.arrayBuffer());
  }
}

/** Opens a PDF, which is loaded by range requests as pages are viewed. `askPassword` resolves to null to cancel. */
export function openPdf(url: string, askPassword: (again: boolean) => Promise<string | null>) {
  const task = getDocument({
    url,
    BinaryDataFactory: Parts,
    useWorkerFetch: false,
    cMapUrl: 'cmaps/',
    standardFontDataUrl: 'fonts/',
    wasmUrl: 'wasm/',
    rangeChunkSize: 262_144,
  });
  task.onPassword = (answer: (password: string | Error) => void, reason: number) => {
    void askPassword(reason === 2).then((password) => answer(password ?? new Error('No password')));
  };
  return task;
}

export type Pdf = PDFDocumentProxy;
