import { useQueryClient } from '@tanstack/react-query';
import type { Dispatch } from 'react';
import { useRef, useState } from 'react';
import type { FieldChange, FieldsView, FieldView } from '#server/fields/contract.ts';
import { takenBack, type } from '#messages/fields.ts';
import { refreshKeys } from '../../lib/cache.ts';
import { dropDraft, valueDraft } from '../../lib/drafts.ts';
import { fieldCalls, fieldsKey } from '../../lib/fields.ts';
import { nameOfField } from '../../lib/fieldValues.ts';
import { toast } from '../../lib/toast.ts';
import { fieldError, isChanged } from '../fields/fieldError.ts';
import { nothingToUndo } from '../../lib/undoKey.ts';
import type { Entry, ReviewAction } from './entries.ts';
import { keyOf, writtenValueOf } from './entries.ts';

/** Why an answer was refused. */
export interface Fault {
  message: string;
  /** The present value, if it has changed since the user saw it; null otherwise. */
  now: FieldView | null;
}

const fieldIn = ({ type, fields }: FieldsView, id: string): FieldView | null =>
  [type, ...fields].find((field) => field.id === id) ?? null;

/** @param typed null to confirm the value as read, '' to clear it. */
function changeOf({ field: { id } }: Entry, typed: string | null): FieldChange {
  if (typed === null) return { id, answer: 'confirmed' };
  return typed === '' ? { id, answer: 'cleared' } : { id, answer: 'corrected', value: typed };
}

/** Saves the answers of a review. */
export function useAnswers(dispatch: Dispatch<ReviewAction>) {
  const cache = useQueryClient();
  /** By key, until they are answered again. */
  const [faults, setFaults] = useState<ReadonlyMap<string, Fault>>(new Map());
  const [inFlight, setInFlight] = useState(0);
  /** The key of the typed value that the server is checking. */
  const [checking, setChecking] = useState<string | null>(null);
  const saving = useRef(new Map<string, Promise<void>>());
  /** The given answers by key, shown when the user goes back. */
  const given = useRef(new Map<string, string>());
  /** The values that the user has seen, by key, where they are no longer as they were loaded. */
  const seen = useRef(new Map<string, string | null>());
  /** What `takeBack` takes back: the last answer, unless it was refused. */
  const last = useRef<Entry | null>(null);

  async function save(entry: Entry, typed: string | null): Promise<void> {
    const { document, field } = entry;
    const { id } = document.item;
    const key = keyOf(entry);
    try {
      const before = seen.current.has(key) ? seen.current.get(key)! : field.value;
      const view = await fieldCalls.answer(id, [{ ...changeOf(entry, typed), seen: before }]);
      seen.current.set(key, fieldIn(view, field.id)?.value ?? null);
      dropDraft(valueDraft(id, field.id));
      void refreshKeys(cache, ['review'], fieldsKey(id), ['history']);
      if (typed) dispatch({ type: 'answered', key });
    } catch (failed) {
      if (last.current && keyOf(last.current) === key) last.current = null;
      const now = isChanged(failed) ? await presentField(id, field.id) : null;
      if (now) seen.current.set(key, now.value);
      const message = fieldError(failed, field.id);
      setFaults((before) => new Map(before).set(key, { message, now }));
      dispatch({ type: 'failed', key });
    }
  }

  const presentField = async (id: number, fieldId: string): Promise<FieldView | null> => {
    const queryFn = ({ signal }: { signal: AbortSignal }) => fieldCalls.of(id, signal);
    const view = await cache.fetchQuery({ queryKey: fieldsKey(id), queryFn }).catch(() => null);
    return view && fieldIn(view, fieldId);
  };

  return {
    faults,
    inFlight,
    checking,
    /** The answer that was given before the user came back. */
    givenAnswer: (entry: Entry): string | null => given.current.get(keyOf(entry)) ?? null,
    /** Resolves when all answers are saved or refused. */
    settled: () => Promise.all(saving.current.values()),
    clearFaults: () => setFaults(new Map()),

    /** Takes the last answer back, and shows its value again. */
    async takeBack(): Promise<void> {
      const entry = last.current;
      if (!entry) return nothingToUndo();
      const { document, field } = entry;
      const { id } = document.item;
      const key = keyOf(entry);
      await saving.current.get(key);
      // It was refused meanwhile, or a second key has taken it back.
      if (last.current !== entry) return;
      last.current = null;
      try {
        const now = seen.current.get(key) ?? null;
        const view = await fieldCalls.answer(id, [{ id: field.id, answer: null, seen: now }]);
        seen.current.set(key, fieldIn(view, field.id)?.value ?? null);
        given.current.delete(key);
        void refreshKeys(cache, ['review'], fieldsKey(id), ['history']);
        dispatch({ type: 'takenBack', key });
        toast.success(takenBack(field.id === 'type' ? type : nameOfField(field)));
      } catch (failed) {
        toast.error(fieldError(failed, field.id));
      }
    },

    /** @param typed null to confirm the value as read, '' to clear it. */
    answer(entry: Entry, typed: string | null): void {
      const key = keyOf(entry);
      last.current = entry;
      given.current.set(key, typed ?? writtenValueOf(entry));
      setFaults((before) => new Map([...before].filter(([other]) => other !== key)));
      setInFlight((before) => before + 1);
      // What was typed can be wrong: the user sees it beside its value, before the next one is shown.
      if (typed) setChecking(key);
      else dispatch({ type: 'answered', key });
      // An answer that replaces another one comes after it.
      const request = (saving.current.get(key) ?? Promise.resolve()).then(() => save(entry, typed));
      saving.current.set(key, request);
      void request.finally(() => {
        if (saving.current.get(key) === request) saving.current.delete(key);
        setChecking((now) => (now === key ? null : now));
        setInFlight((before) => before - 1);
      });
    },
  };
}
