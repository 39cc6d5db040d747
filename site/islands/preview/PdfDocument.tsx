import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { LockOpen, Search } from 'lucide-react';
import * as t from '#messages/preview.ts';
import { buttonClass } from '../../components/buttonClass.ts';
import { IconButton } from '../../components/IconButton.tsx';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';
import { parseTextMatch } from '../../lib/driveLocation.ts';
import { isElsewhere } from './isElsewhere.ts';
import { PageField } from './PageField.tsx';
import { PageScroller } from './PageScroller.tsx';
import type { Pdf } from './pdf.ts';
import { PdfFind } from './PdfFind.tsx';
import { PdfMenu } from './PdfMenu.tsx';
import { PdfPage } from './PdfPage.tsx';
import { printPdf } from './printPdf.ts';
import { useHighlight, useScrollToLit } from './useHighlight.ts';
import type { ScanText } from './scanWords.ts';
import { usePageStrip, useWidth } from './usePageStrip.ts';
import { FitWidthButton, PrintButton, RotateButtons, ViewerBar, ZoomButtons } from './ViewerBar.tsx';
import { isSideways, rotateBy, stepZoom, ZOOM_MAX, ZOOM_MIN } from './zoom.ts';

/** CSS pixels per point: a point is 1/72 inch, a CSS pixel 1/96. */
const FULL_SIZE = 96 / 72;
/** Horizontal margin beside a page. */
const MARGIN_PX = 32;

export interface PdfDocumentProps {
  pdf: Pdf;
  /** The size of the first page, in points. */
  size: { width: number; height: number };
  /** The item whose regions can be highlighted. */
  itemId: number;
  /** The name of the file. */
  name: string;
  /** The OCR text of scanned pages. */
  scanText: ScanText;
  /** Whether the pages take the focus, which was in the form for the password. */
  takesFocus: boolean;
  /** The URL of a copy without password; null if the file has no password. */
  unlocked: string | null;
}

/** The pages of an open PDF in a vertical strip. */
export function PdfDocument({ pdf, size, itemId, name, scanText, takesFocus, unlocked }: PdfDocumentProps) {
  const pages = useRef<HTMLDivElement>(null);
  /** Null while pages fit the width. */
  const [zoom, setZoom] = useState<number | null>(null);
  const [rotation, setRotation] = useState(0);
  const width = useWidth(pages);
  // The text match in the URL belongs to this file; another file mounts another PdfDocument.
  const [sought] = useState(() => parseTextMatch(new URL(location.href)));
  /** `quietly` without the focus: who has sought the file by its name goes on with the keys of the preview. */
  const [finding, setFinding] = useState<boolean | 'quietly'>(() => {
    const words = sought?.words ?? [];
    const named = name.toLowerCase();
    if (words.length === 0) return false;
    return words.every((word) => named.includes(word.toLowerCase())) ? 'quietly' : true;
  });
  const [texts, setTexts] = useState<ReadonlyMap<number, HTMLElement[]>>(() => new Map());

  // Fit-to-width enlarges a page to at most 125 %, so that wide screens do not show giant letters.
  const breadth = isSideways(rotation) ? size.height : size.width;
  const fit = width > 0 ? Math.min((width - MARGIN_PX) / breadth / FULL_SIZE, 1.25) : 1;
  const shown = zoom ?? fit;
  const scale = shown * FULL_SIZE;

  const { page, goTo, follow, holdMiddle } = usePageStrip(pages, scale);

  const lit = useHighlight(itemId);
  useScrollToLit(pages, lit, width > 0 ? scale : 0);

  const targetPage = sought?.page ?? 1;
  const arrived = useRef(targetPage === 1);
  useEffect(() => {
    // Scroll only once the width is known, since page positions depend on it.
    if (arrived.current || width === 0) return;
    arrived.current = true;
    goTo(targetPage);
  });

  const setText = useCallback((number: number, pieces: HTMLElement[] | null) => {
    setTexts((now) => {
      const next = new Map(now);
      if (pieces) next.set(number, pieces);
      else next.delete(number);
      return next;
    });
  }, []);

  // Before a lost focus is drawn to the first control of the preview.
  useLayoutEffect(() => {
    if (takesFocus) pages.current?.focus();
  }, [takesFocus]);

  const step = (by: number) => setZoom(stepZoom(shown, by));
  const rotate = (quarters: number) => {
    holdMiddle(quarters);
    setRotation((now) => rotateBy(now, quarters));
  };

  const endFinding = () => {
    setFinding(false);
    pages.current?.focus();
  };

  useDocumentEvent('keydown', (event) => {
    const control = event.ctrlKey || event.metaKey;
    if (control && event.key.toLowerCase() === 'f') {
      setFinding(true);
      document.querySelector<HTMLElement>('.pdf-find input')?.focus();
    } else if (control || event.altKey || isElsewhere(event)) return;
    else if (event.key === '+' || event.key === '=') step(1);
    else if (event.key === '-') step(-1);
    else if (event.key === '0') setZoom(null);
    else if (event.key === 'r') rotate(1);
    else if (event.key === 'R') rotate(-1);
    else if (event.key === 'Home') goTo(1);
    else if (event.key === 'End') goTo(pdf.numPages);
    else return;
    event.preventDefault();
  });

  return (
    <>
      <PageScroller ref={pages} onScroll={follow}>
        {Array.from({ length: pdf.numPages }, (_, index) => (
          <PdfPage
            key={index}
            pdf={pdf}
            number={index + 1}
            scale={scale}
            size={size}
            rotation={rotation}
            scanText={scanText}
            onText={setText}
            lit={lit?.page === index + 1 ? lit.box : null}
          />
        ))}
      </PageScroller>
      {finding && (
        <PdfFind
          pdf={pdf}
          scanText={scanText}
          texts={texts}
          sought={sought}
          takesFocus={finding === true}
          onGo={goTo}
          onClose={endFinding}
        />
      )}
      <ViewerBar label={t.pdf}>
        <PageField page={page} count={pdf.numPages} onGo={goTo} />
        <span className="viewer-break" />
        <ZoomButtons zoom={shown} least={ZOOM_MIN} most={ZOOM_MAX} onZoom={step} onReset={() => setZoom(1)} />
        <span className="contents @max-xl:hidden">
          <FitWidthButton isOn={zoom === null} onPress={() => setZoom(null)} />
          <span className="viewer-break" />
          <RotateButtons onRotate={rotate} />
        </span>
        <span className="viewer-break" />
        <IconButton
          label={t.findInDocument}
          shortcut="Ctrl+F"
          active={finding !== false}
          aria-pressed={finding !== false}
          onPress={() => (finding ? endFinding() : setFinding(true))}
        >
          <Search aria-hidden size={18} />
        </IconButton>
        {unlocked !== null && (
          // A plain link works, since the session cookie authenticates GET requests.
          <a
            href={unlocked}
            download
            title={t.withoutPassword}
            aria-label={t.withoutPassword}
            className={buttonClass('quiet', 'md', 'px-2 @max-xl:hidden')}
          >
            <LockOpen aria-hidden size={18} />
          </a>
        )}
        <PrintButton onPress={() => void printPdf(pdf)} />
        <span className="contents @xl:hidden">
          <PdfMenu onFitWidth={() => setZoom(null)} onRotate={rotate} unlocked={unlocked} />
        </span>
      </ViewerBar>
    </>
  );
}
