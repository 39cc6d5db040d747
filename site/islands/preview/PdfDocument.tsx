import { useCallback, useEffect, useRef, useState } from 'react';
import { LockOpen, Maximize2, Search } from 'lucide-react';
import * as t from '#messages/preview.ts';
import { buttonClass } from '../../components/buttonClass.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import { parseTextMatch } from '../../lib/driveLocation.ts';
import { isElsewhere } from './isElsewhere.ts';
import { PageField } from './PageField.tsx';
import type { Pdf } from './pdf.ts';
import { PdfFind } from './PdfFind.tsx';
import { PdfPage } from './PdfPage.tsx';
import { printPdf } from './printPdf.ts';
import { useHighlight, useScrollToLit } from './useHighlight.ts';
import type { ScanText } from './scanWords.ts';
import { usePageStrip, useWidth } from './usePageStrip.ts';
import { PrintButton, ViewerBar, ZoomButtons } from './ViewerBar.tsx';
import { stepZoom, ZOOM_MAX, ZOOM_MIN } from './zoom.ts';

/** A point is a seventy-second of an inch, a CSS pixel a ninety-sixth. */
const FULL_SIZE = 96 / 72;
/** Pixels left free beside a page. */
const MARGIN = 32;

export interface PdfDocumentProps {
  pdf: Pdf;
  /** Of the first page, in points. */
  size: { width: number; height: number };
  /** Whose places may be lit. */
  itemId: number;
  /** What was read of pages that are pictures. */
  scanText: ScanText;
  /** Where it is to be had without its password; null where it has none. */
  unlocked: string | null;
}

/** The pages of an open PDF, one below the other. */
export function PdfDocument({ pdf, size, itemId, scanText, unlocked }: PdfDocumentProps) {
  const pages = useRef<HTMLDivElement>(null);
  /** Null while the page is as wide as the room. */
  const [zoom, setZoom] = useState<number | null>(null);
  const width = useWidth(pages);
  // What it was found by stands in the address; another file gets another document.
  const [sought] = useState(() => parseTextMatch(new URL(location.href)));
  const [finding, setFinding] = useState(sought !== null && sought.words.length > 0);
  const [texts, setTexts] = useState<ReadonlyMap<number, HTMLElement[]>>(() => new Map());

  // By itself a page grows by a quarter at most: a wide screen is no reason for giant letters.
  const fit = width > 0 ? Math.min((width - MARGIN) / size.width / FULL_SIZE, 1.25) : 1;
  const shown = zoom ?? fit;
  const scale = shown * FULL_SIZE;

  const { page, goTo, follow } = usePageStrip(pages, scale);

  const lit = useHighlight(itemId);
  useScrollToLit(pages, lit, width > 0 ? scale : 0);

  const wanted = sought?.page ?? 1;
  const arrived = useRef(wanted === 1);
  useEffect(() => {
    // Pages have their places once it is known how wide the room is.
    if (arrived.current || width === 0) return;
    arrived.current = true;
    goTo(wanted);
  });

  const setText = useCallback((number: number, pieces: HTMLElement[] | null) => {
    setTexts((now) => {
      const next = new Map(now);
      if (pieces) next.set(number, pieces);
      else next.delete(number);
      return next;
    });
  }, []);

  const step = (by: number) => setZoom(stepZoom(shown, by));

  const endFinding = () => {
    setFinding(false);
    pages.current?.focus();
  };

  useDocumentEvent('keydown', (event) => {
    const control = event.ctrlKey || event.metaKey;
    if (control && event.key.toLowerCase() === 'f') setFinding(true);
    else if (control || event.altKey || isElsewhere(event)) return;
    else if (event.key === '+' || event.key === '=') step(1);
    else if (event.key === '-') step(-1);
    else if (event.key === '0') setZoom(null);
    else if (event.key === 'Home') goTo(1);
    else if (event.key === 'End') goTo(pdf.numPages);
    else return;
    event.preventDefault();
  });

  return (
    <>
      <div
        ref={pages}
        data-pages
        onScroll={follow}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that arrows and page keys scroll it
        tabIndex={0}
        aria-label={t.pages}
        role="group"
        className="pdf-pages"
      >
        {Array.from({ length: pdf.numPages }, (_, index) => (
          <PdfPage
            key={index}
            pdf={pdf}
            number={index + 1}
            scale={scale}
            size={size}
            scanText={scanText}
            onText={setText}
            lit={lit?.page === index + 1 ? lit.box : null}
          />
        ))}
      </div>
      {finding && (
        <PdfFind
          pdf={pdf}
          scanText={scanText}
          texts={texts}
          sought={sought}
          onGo={goTo}
          onClose={endFinding}
        />
      )}
      <ViewerBar label={t.pdf}>
        <PageField page={page} count={pdf.numPages} onGo={goTo} />
        <span className="viewer-break" />
        <ZoomButtons zoom={shown} least={ZOOM_MIN} most={ZOOM_MAX} onZoom={step} onReset={() => setZoom(1)} />
        <IconButton
          label={t.fitWidth}
          shortcut="0"
          active={zoom === null}
          aria-pressed={zoom === null}
          onPress={() => setZoom(null)}
        >
          <Maximize2 aria-hidden size={18} />
        </IconButton>
        <span className="viewer-break" />
        <IconButton
          label={t.findInDocument}
          shortcut="Ctrl+F"
          active={finding}
          aria-pressed={finding}
          onPress={() => (finding ? endFinding() : setFinding(true))}
        >
          <Search aria-hidden size={18} />
        </IconButton>
        {unlocked !== null && (
          // The cookie of the session is enough to read.
          <a
            href={unlocked}
            download
            title={t.withoutPassword}
            aria-label={t.withoutPassword}
            className={buttonClass('quiet', 'md', 'px-2')}
          >
            <LockOpen aria-hidden size={18} />
          </a>
        )}
        <PrintButton onPress={() => void printPdf(pdf)} />
      </ViewerBar>
    </>
  );
}
