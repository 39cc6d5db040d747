import type { RefObject } from 'react';
import { useEffect, useState } from 'react';
import type { TextMatch } from '../../lib/driveLocation.ts';
import { parseTextMatch } from '../../lib/driveLocation.ts';
import { markWords } from './markWords.ts';

/** What the file in the preview was found by, by its words; null when it was opened otherwise. */
export function useSought(): TextMatch | null {
  const [sought] = useState(() => parseTextMatch(new URL(location.href)));
  return sought && sought.words.length > 0 ? sought : null;
}

/** Marks what was looked for in what an element shows. @param shown changes when that does. */
export function useMarks(
  element: RefObject<HTMLElement | null>,
  sought: TextMatch | null,
  shown: unknown,
): void {
  useEffect(
    () => (sought && element.current && markWords(element.current, sought.words)) ?? undefined,
    // oxlint-disable-next-line exhaustive-effect-dependencies -- other text in the element makes the marks void
    [element, sought, shown],
  );
}
