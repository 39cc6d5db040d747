import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import * as t from '#messages/preview.ts';
import { IconButton } from '../../components/IconButton.tsx';
import type { Match } from './find.ts';
import { findEach, locate } from './find.ts';
import type { Pdf } from './pdf.ts';
import type { TextMatch } from '../../lib/driveLocation.ts';
import { readTexts } from './readTexts.ts';
import type { ScanText } from './scanWords.ts';

export interface PdfFindProps {
  pdf: Pdf;
  scanText: ScanText;
  /** The text nodes of the rendered pages, by page. */
  texts: ReadonlyMap<number, HTMLElement[]>;
  /** The match for which the file was opened: the initial search, starting at its page. */
  sought: TextMatch | null;
  takesFocus: boolean;
  onGo: (page: number) => void;
  onClose: () => void;
}

const ALL_HIGHLIGHT = 'pdf-found';
const CURRENT_HIGHLIGHT = 'pdf-found-now';

/** Searches the whole document, and highlights the matches on the rendered pages. */
export function PdfFind({ pdf, scanText, texts, sought, takesFocus, onGo, onClose }: PdfFindProps) {
  const first = sought?.words.join(' ') ?? '';
  const [wanted, setWanted] = useState(first);
  /** The initial words, each searched separately, until the user types a search. */
  const words = useMemo(
    () => (sought && wanted === first ? sought.words : [wanted]),
    [sought, wanted, first],
  );
  const [pages, setPages] = useState<string[][] | null>(null);
  const [current, setCurrent] = useState(0);
  useEffect(() => {
    let ended = false;
    const begin = async () => {
      const read = await readTexts(pdf, scanText);
      if (ended) return;
      setPages(read);
      if (sought) setCurrent(firstFrom(read, sought));
    };
    void begin();
    return () => {
      ended = true;
    };
  }, [pdf, scanText, sought]);

  const matches = useMemo(
    () =>
      findEach(
        (pages ?? []).map((pieces) => pieces.join('')),
        words,
      ),
    [pages, words],
  );
  const match = matches[current];

  useEffect(() => {
    mark(matches, match, texts);
    return () => {
      CSS.highlights?.delete(ALL_HIGHLIGHT);
      CSS.highlights?.delete(CURRENT_HIGHLIGHT);
    };
  }, [matches, match, texts]);

  /** A match whose page must be rendered first. */
  const pending = useRef<Match | null>(null);
  const reach = useEffectEvent((wantedMatch: Match) => {
    const range = rangeOf(wantedMatch, texts);
    pending.current = range ? null : wantedMatch;
    if (range) range.startContainer.parentElement?.scrollIntoView({ block: 'center' });
    else onGo(wantedMatch.page);
  });
  useEffect(() => {
    if (match) reach(match);
  }, [match]);
  useEffect(() => {
    const waiting = pending.current;
    if (!waiting || !texts.has(waiting.page)) return;
    reach(waiting);
    pending.current = null;
  }, [texts]);

  const step = (by: number) =>
    matches.length > 0 && setCurrent((current + by + matches.length) % matches.length);
  const status =
    wanted.trim() === ''
      ? ''
      : !pages
        ? t.reading
        : matches.length === 0
          ? t.notFound
          : t.matchOf(current + 1, matches.length);
  return (
    <div role="search" className="pdf-find">
      <input
        aria-label={t.findInDocument}
        placeholder={t.findInDocument}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by the user's own action
        autoFocus={takesFocus}
        value={wanted}
        onChange={(event) => {
          setWanted(event.target.value);
          setCurrent(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onClose();
        }}
        className="h-8 w-48 rounded-sm bg-transparent px-2 outline-none"
      />
      <span role="status" className="tabular min-w-16 text-right text-sm text-muted">
        {status}
      </span>
      <IconButton label={t.previous} size="sm" isDisabled={matches.length === 0} onPress={() => step(-1)}>
        <ChevronUp aria-hidden size={16} />
      </IconButton>
      <IconButton label={t.next} size="sm" isDisabled={matches.length === 0} onPress={() => step(1)}>
        <ChevronDown aria-hidden size={16} />
      </IconButton>
      <IconButton label={t.closeSearch} size="sm" onPress={onClose}>
        <X aria-hidden size={16} />
      </IconButton>
    </div>
  );
}

/** The index of the first match on the page of the text match. */
function firstFrom(pages: string[][], { page, words }: TextMatch): number {
  const all = findEach(
    pages.map((pieces) => pieces.join('')),
    words,
  );
  return Math.max(
    0,
    all.findIndex((match) => match.page >= page),
  );
}

function rangeOf({ page, start, end }: Match, texts: PdfFindProps['texts']): Range | null {
  const divs = texts.get(page);
  if (!divs) return null;
  const pieces = divs.map((div) => div.textContent ?? '');
  const from = locate(pieces, start);
  const to = locate(pieces, end);
  const [first, last] = [from && divs[from.piece]?.firstChild, to && divs[to.piece]?.firstChild];
  if (!from || !to || !first || !last) return null;
  const range = new Range();
  range.setStart(first, Math.min(from.offset, first.textContent?.length ?? 0));
  range.setEnd(last, Math.min(to.offset, last.textContent?.length ?? 0));
  return range;
}

function mark(matches: readonly Match[], now: Match | undefined, texts: PdfFindProps['texts']): void {
  // Browsers without the CSS Custom Highlight API search as well, but highlight nothing.
  if (!('highlights' in CSS)) return;
  const ranges = matches.flatMap((match) => rangeOf(match, texts) ?? []);
  CSS.highlights.set(ALL_HIGHLIGHT, new Highlight(...ranges));
  const range = now && rangeOf(now, texts);
  CSS.highlights.set(CURRENT_HIGHLIGHT, new Highlight(...(range ? [range] : [])));
}
