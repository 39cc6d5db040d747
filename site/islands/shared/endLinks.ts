import * as t from '#messages/sharing.ts';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';
import { confirm } from '../../lib/confirm.ts';
import { toast } from '../../lib/toast.ts';
import { calls as requestCalls } from '../request-dialogs/calls.ts';
import { calls } from '../sharing/calls.ts';
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

/**
 * Asks for confirmation, then revokes links, closes requests and deletes drop links and clients' pages.
 * @returns undefined when the user cancelled, null on success, otherwise the error message.
 */
export async function endEntries(entries: readonly Entry[]): Promise<string | null | undefined> {
  const n = entries.length;
  const { question, about, action, done: doneText } = textsFor(entries);
  if (!(await confirm({ title: question(n), body: about(n), action: action(n), danger: true })))
    return undefined;
  const links = entries.flatMap((entry) => (entry.kind === 'link' ? [entry.link.id] : []));
  try {
    let done = links.length > 0 ? (await calls.revoke(links)).done.length : 0;
    for (const entry of entries) {
      if (entry.kind === 'link') continue;
      if (entry.kind === 'request') await requestCalls.close(entry.request.id);
      else if (entry.kind === 'page') await api.delete(`/api/client-pages/${entry.portal.id}`);
      else await api.delete(`/api/drop-links/${entry.drop.id}`);
      done += 1;
    }
    toast.success(doneText(done));
    return null;
  } catch (failure) {
    return messageOf(failure, t.failed);
  }
}
