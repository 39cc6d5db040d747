import { useEffect, useRef, useState } from 'react';
import { TextLayer } from 'pdfjs-dist';
import type { Box } from '#server/recognition/contract.ts';
import * as t from '#messages/preview.ts';
import type { Pdf } from './pdf.ts';
import { PageSheet } from './PageSheet.tsx';
import { isText } from './readTexts.ts';
import { layScan } from './scanLayer.ts';
import type { ScanText } from './scanWords.ts';
import { litStyle } from './useHighlight.ts';

export interface PdfPageProps {
  pdf: Pdf;
  /** From 1. */
  number: number;
  /** Pixels per point. */
  scale: number;
  /** In points; the first page's size until this page is loaded. */
  size: { width: number; height: number };
  /** Degrees, clockwise, in addition to the page's own. */
  rotation: number;
  /** The OCR text of scanned pages. */
  scanText: ScanText;
  /** Called with the element of the text layer, or null when it is removed. Must be a stable function. */
  onText: (page: number, pieces: HTMLElement[] | null) => void;
  /** The highlighted region on the page. */
  lit: Box | null;
}

/** The pixel limit of a canvas, above which browsers render nothing. */
const MAX_CANVAS_PIXELS = 16_000_000;

const says = (pieces: readonly HTMLElement[]): boolean =>
  isText(pieces.map(({ textContent }) => textContent ?? ''));

/** A page, rendered while it is near the viewport. */
export function PdfPage({ pdf, number, scale, size, rotation, scanText, onText, lit }: PdfPageProps) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  const [ownSize, setOwnSize] = useState(size);

  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const root = element.closest('[data-pages]');
    const observer = new IntersectionObserver(([seen]) => setNear(seen?.isIntersecting ?? false), {
      root,
      rootMargin: '100% 0px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (!near) return undefined;
    let ended = false;
    let cancel = () => {};
    async function draw(): Promise<void> {
      const page = await pdf.getPage(number);
      const [paper, letters] = [canvas.current, text.current];
      if (ended || !paper || !letters) return;
      const plain = page.getViewport({ scale: 1 });
      setOwnSize({ width: plain.width, height: plain.height });
      const pixelRatio = Math.min(devicePixelRatio, 3);
      const pixels = plain.width * plain.height * scale * scale * pixelRatio * pixelRatio;
      const ratio =
        pixels > MAX_CANVAS_PIXELS ? pixelRatio * Math.sqrt(MAX_CANVAS_PIXELS / pixels) : pixelRatio;
      const viewport = page.getViewport({ scale: scale * ratio });
      paper.width = Math.floor(viewport.width);
      paper.height = Math.floor(viewport.height);
      letters.replaceChildren();
      const drawing = page.render({ canvas: paper, viewport });
      cancel = () => drawing.cancel();
      await drawing.promise;
      // The text layer is created only now: one cancelled before its start throws when started.
      if (ended) return;
      const layer = new TextLayer({
        textContentSource: page.streamTextContent(),
        container: letters,
        viewport: page.getViewport({ scale }),
      });
      cancel = () => layer.cancel();
      await layer.render();
      if (ended) return;
      const scan = says(layer.textDivs) ? undefined : (await scanText()).get(number);
      if (ended) return;
      onText(number, scan ? layScan(letters, scan, plain) : layer.textDivs);
    }
    // Ignored: rendering was cancelled by scrolling away, or the page is damaged and stays blank.
    draw().catch(() => undefined);
    return () => {
      ended = true;
      cancel();
      onText(number, null);
    };
  }, [near, pdf, number, scale, scanText, onText]);

  return (
    <PageSheet
      ref={box}
      role="group"
      aria-label={t.pageNumber(number)}
      number={number}
      width={ownSize.width * scale}
      height={ownSize.height * scale}
      rotation={rotation}
    >
      {near && (
        <>
          <canvas ref={canvas} aria-hidden className="size-full" />
          <div ref={text} className="pdf-text" style={{ ['--total-scale-factor' as string]: scale }} />
        </>
      )}
      {lit && <span className="page-lit" style={litStyle(lit, scale)} />}
    </PageSheet>
  );
}
