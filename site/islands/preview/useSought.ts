import type { RefObject } from 'react';
import { useEffect, useState } from 'react';
import type { TextMatch } from '../../lib/driveLocation.ts';
import { parseTextMatch } from '../../lib/driveLocation.ts';
import { markWords } from './markWords.ts';

/** The text match for which the preview was opened; null if it was opened otherwise. */
export function useSought(): TextMatch | null {
  const [sought] = useState(() => parseTextMatch(new URL(location.href)));
  return sought && sought.words.length > 0 ? sought : null;
}

/** Highlights the matched words in an element. @param shown changes when the element's content does. */
export function useMarks(
  element: RefObject<HTMLElement | null>,
  sought: TextMatch | null,
  shown: unknown,
): void {
  useEffect(
    () => (sought && element.current && markWords(element.current, sought.words)) ?? undefined,
    // oxlint-disable-next-line exhaustive-effect-dependencies -- new content invalidates the highlights
    [element, sought, shown],
  );
}
