import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Suggestion } from '#server/filing/contract.ts';
import { useHydrated } from '../../lib/useHydrated.ts';

/** The user's changes to a suggestion. */
export type Edit = Partial<
  Pick<Suggestion, 'client' | 'base' | 'folder' | 'name' | 'sure' | 'doubts' | 'taken'>
>;

interface Drafts {
  /** The user's changes by item id. */
  edits: ReadonlyMap<number, Edit>;
  /** The user's selection by item id; other suggestions are selected if they are sure. */
  selection: ReadonlyMap<number, boolean>;
}

const NONE: Drafts = { edits: new Map(), selection: new Map() };

/** The drafts of each user of this tab: looking at a document and coming back must not lose them. */
const kept = new WeakMap<QueryClient, Drafts>();

/** What the user has changed and selected without filing it, which survives a visit to another screen. */
export function useDrafts() {
  const cache = useQueryClient();
  const [drafts, setDrafts] = useState(() => kept.get(cache) ?? NONE);
  const hydrated = useHydrated();
  // An answer that arrives while the user looks at a document is kept too.
  const change = (next: (old: Drafts) => Partial<Drafts>): void => {
    const old = kept.get(cache) ?? NONE;
    const changed = { ...old, ...next(old) };
    kept.set(cache, changed);
    setDrafts(changed);
  };
  return {
    ...(hydrated ? drafts : NONE),
    edit: (id: number, part: Edit) =>
      change(({ edits }) => ({ edits: new Map(edits).set(id, { ...edits.get(id), ...part }) })),
    select: (states: Iterable<readonly [number, boolean]>) =>
      change(({ selection }) => ({ selection: new Map([...selection, ...states]) })),
    /** Drops what was changed and selected of documents that were filed. */
    drop: (ids: ReadonlySet<number>) =>
      change(({ edits, selection }) => ({ edits: omit(edits, ids), selection: omit(selection, ids) })),
  };
}

const omit = <T>(map: ReadonlyMap<number, T>, ids: ReadonlySet<number>): ReadonlyMap<number, T> =>
  new Map([...map].filter(([id]) => !ids.has(id)));

/** Asks before a reload or closing the tab, which are the ways that lose the drafts. */
export function useAskBeforeUnload(asks: boolean): void {
  useEffect(() => {
    if (!asks) return undefined;
    // The browser asks with its own words.
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', onUnload);
    return () => removeEventListener('beforeunload', onUnload);
  }, [asks]);
}
