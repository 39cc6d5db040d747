import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Maximize2, Printer, Search } from 'lucide-react';
import { IconButton } from '../../../components/IconButton.tsx';
import { Spinner } from '../../../components/Spinner.tsx';
import { Failure } from './Failure.tsx';
import type { ViewerProps } from './ImageViewer.tsx';
import { PdfFind } from './PdfFind.tsx';
import { PdfPage } from './PdfPage.tsx';
import { PdfPassword } from './PdfPassword.tsx';
import { printPdf } from './printPdf.ts';
import { usePdf } from './usePdf.ts';
import { ViewerBar, ZoomButtons } from './ViewerBar.tsx';
import { ZOOM_MAX, ZOOM_MIN, ZOOM_STEP } from './zoom.ts';

/** A point is a seventy-second of an inch, a CSS pixel a ninety-sixth. */
const FULL_SIZE = 96 / 72;
/** Pixels left free beside a page. */
const MARGIN = 32;

export default function PdfViewer({ item, url, onRetry }: ViewerProps) {
  const opening = usePdf(url);
  const pages = useRef<HTMLDivElement>(null);
  /** Null while the page is as wide as the room. */
  const [zoom, setZoom] = useState<number | null>(null);
  const [width, setWidth] = useState(0);
  const [page, setPage] = useState(1);
  const [finding, setFinding] = useState(false);
  const texts = useRef(new Map<number, HTMLElement[]>());
  const [drawn, setDrawn] = useState(0);
  const open = opening.state === 'open' ? opening : null;

  useLayoutEffect(() => {
    const room = pages.current;
    if (!room) return undefined;
    const observer = new ResizeObserver(() => setWidth(room.clientWidth));
    observer.observe(room);
    return () => observer.disconnect();
  }, [opening.state]);

  // A page never grows beyond its own size and a half by itself: a wide screen is no reason for giant letters.
  const fit = open && width > 0 ? Math.min((width - MARGIN) / open.size.width / FULL_SIZE, 1.5) : 1;
  const shown = zoom ?? fit;
  const scale = shown * FULL_SIZE;

  // What was in the middle of the room stays there when the size changes.
  const before = useRef(scale);
  useLayoutEffect(() => {
    const room = pages.current;
    if (room && before.current !== scale) {
      const middle = room.scrollTop + room.clientHeight / 2;
      room.scrollTop = (middle * scale) / before.current - room.clientHeight / 2;
    }
    before.current = scale;
  }, [scale]);

  const step = (by: number) =>
    setZoom(
      Math.min(
        ZOOM_MAX,
        Math.max(ZOOM_MIN, (by > 0 ? Math.floor : Math.ceil)(shown / ZOOM_STEP + by * 1.001) * ZOOM_STEP),
      ),
    );

  const goTo = (number: number) =>
    pages.current?.querySelector(`[data-page="${number}"]`)?.scrollIntoView({ block: 'start' });

  const keys = useRef<(event: KeyboardEvent) => void>(() => {});
  keys.current = (event) => {
    const control = event.ctrlKey || event.metaKey;
    if (control && event.key.toLowerCase() === 'f') setFinding(true);
    else if (control || event.altKey || (event.target as Element).closest('input')) return;
    else if (event.key === '+' || event.key === '=') step(1);
    else if (event.key === '-') step(-1);
    else if (event.key === '0') setZoom(null);
    else if (event.key === 'Home') goTo(1);
    else if (event.key === 'End' && open) goTo(open.pdf.numPages);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => keys.current(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);

  const follow = () => {
    const room = pages.current;
    if (!room) return;
    const middle = room.getBoundingClientRect().top + room.clientHeight / 2;
    const all = [...room.querySelectorAll<HTMLElement>('[data-page]')];
    const now = all.findLast((element) => element.getBoundingClientRect().top <= middle);
    setPage(Number(now?.dataset['page'] ?? 1));
  };

  if (opening.state === 'failed') return <Failure title="Failed to load PDF" item={item} onRetry={onRetry} />;
  if (opening.state === 'locked') return <PdfPassword again={opening.again} onAnswer={opening.answer} />;
  if (!open) {
    return (
      <div role="status" aria-label="Loading" className="viewer-room text-muted">
        <Spinner />
      </div>
    );
  }
  const { pdf, size } = open;
  return (
    <>
      {/* Focusable, so that arrows and page keys scroll it. */}
      <div
        ref={pages}
        data-pages
        onScroll={follow}
        tabIndex={0}
        aria-label="Pages"
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
            onText={(number, pieces) => {
              if (pieces) texts.current.set(number, pieces);
              else texts.current.delete(number);
              setDrawn((count) => count + 1);
            }}
          />
        ))}
      </div>
      {finding && (
        <PdfFind
          pdf={pdf}
          texts={texts.current}
          drawn={drawn}
          onGo={goTo}
          onClose={() => setFinding(false)}
        />
      )}
      <ViewerBar label="PDF">
        <PageField page={page} count={pdf.numPages} onGo={goTo} />
        <span className="mx-1 h-5 w-px bg-line" />
        <ZoomButtons zoom={shown} least={ZOOM_MIN} most={ZOOM_MAX} onZoom={step} onReset={() => setZoom(1)} />
        <IconButton
          label="Fit width"
          shortcut="0"
          active={zoom === null}
          aria-pressed={zoom === null}
          onPress={() => setZoom(null)}
        >
          <Maximize2 aria-hidden size={18} />
        </IconButton>
        <span className="mx-1 h-5 w-px bg-line" />
        <IconButton
          label="Find in the document"
          shortcut="Ctrl+F"
          active={finding}
          aria-pressed={finding}
          onPress={() => setFinding(!finding)}
        >
          <Search aria-hidden size={18} />
        </IconButton>
        <IconButton label="Print" onPress={() => void printPdf(pdf)}>
          <Printer aria-hidden size={18} />
        </IconButton>
      </ViewerBar>
    </>
  );
}

function PageField({ page, count, onGo }: { page: number; count: number; onGo: (page: number) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const go = () => {
    const number = Number(typed);
    if (typed && Number.isInteger(number) && number >= 1) onGo(Math.min(number, count));
    setTyped(null);
  };
  return (
    <span className="tabular flex items-center gap-1.5 px-2 whitespace-nowrap">
      <input
        aria-label={`Page, of ${count}`}
        inputMode="numeric"
        value={typed ?? String(page)}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={go}
        onKeyDown={(event) => event.key === 'Enter' && go()}
        onFocus={(event) => event.target.select()}
        className="w-11 rounded-xs border border-line-strong bg-surface px-1 py-0.5 text-center"
      />
      <span aria-hidden>/ {count}</span>
    </span>
  );
}
