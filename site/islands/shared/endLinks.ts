import { MAX_SHARED_ITEMS } from '#server/sharing/contract.ts';
import * as t from '#messages/sharing.ts';
import { api } from '../../lib/api.ts';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { confirm } from '../../lib/confirm.ts';
import { toast } from '../../lib/toast.ts';
import { calls as requestCalls } from '../request-dialogs/calls.ts';
import { calls } from '../sharing/calls.ts';
import { describeItems } from '../sharing/describeItems.ts';
import type { Entry } from './entries.ts';

const TEXTS = {
  link: { question: t.revokeQuestion, about: () => t.revokeAbout, action: t.revokeAction, done: t.revoked },
  drop: { question: t.revokeQuestion, about: t.revokeDropAbout, action: t.revokeAction, done: t.revoked },
  request: {
    question: t.closeQuestion,
    about: () => t.closeAbout,
    action: t.closeAction,
    done: t.requestsClosed,
  },
  page: { question: t.endPageQuestion, about: t.endPageAbout, action: t.endPageAction, done: t.pagesEnded },
  several: { question: t.endQuestion, about: () => t.endAbout, action: t.endAction, done: t.ended },
};

/** The texts for ending these entries: those of their kind, or general ones for several kinds. */
function textsFor(entries: readonly Entry[]) {
  const [first] = entries;
  return TEXTS[first && entries.every(({ kind }) => kind === first.kind) ? first.kind : 'several'];
}

/** The label of the button that ends these entries. */
export const endActionFor = (entries: readonly Entry[]) => textsFor(entries).action(entries.length);

/** Closes a request, or deletes a drop link or a client's page. */
function endOne(entry: Exclude<Entry, { kind: 'link' }>): Promise<unknown> {
  if (entry.kind === 'request') return requestCalls.close(entry.request.id);
  if (entry.kind === 'page') return api.delete(`/api/client-pages/${entry.portal.id}`);
  return api.delete(`/api/drop-links/${entry.drop.id}`);
}

/**
 * Asks for confirmation, then revokes links, closes requests and deletes drop links and clients' pages. A failure does not
 * stop the others.
 * @returns undefined when the user cancelled, null on success, otherwise the error message.
 */
export async function endEntries(entries: readonly Entry[]): Promise<string | null | undefined> {
  const n = entries.length;
  const { question, about, action, done: doneText } = textsFor(entries);
  const [only] = entries;
  const what = n === 1 && only?.kind === 'link' ? describeItems(only.link.items) : null;
  if (!(await confirm({ title: question(n, what), body: about(n), action: action(n), danger: true })))
    return undefined;
  let failed = 0;
  let reason = '';
  async function attempt(count: number, call: () => Promise<unknown>): Promise<void> {
    try {
      await call();
    } catch (failure) {
      // A colleague has ended it in the meantime.
      if (failure instanceof ApiError && failure.status === 404) return;
      failed += count;
      reason = messageOf(failure, t.failed);
    }
  }
  const links = entries.flatMap((entry) => (entry.kind === 'link' ? [entry.link.id] : []));
  for (let from = 0; from < links.length; from += MAX_SHARED_ITEMS) {
    const batch = links.slice(from, from + MAX_SHARED_ITEMS);
    await attempt(batch.length, () => calls.revoke(batch));
  }
  for (const entry of entries) if (entry.kind !== 'link') await attempt(1, () => endOne(entry));
  if (failed === 0) {
    toast.success(doneText(n));
    return null;
  }
  return n === 1 ? reason : t.partlyEnded(n - failed, failed, reason);
}
