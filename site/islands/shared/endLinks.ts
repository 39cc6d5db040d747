import * as t from '#messages/sharing.ts';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';
import { confirm } from '../../lib/confirm.ts';
import { toast } from '../../lib/toast.ts';
import { calls as requestCalls } from '../asking/calls.ts';
import { calls } from '../sharing/calls.ts';
import type { Entry } from './entries.ts';

/** The texts of the confirmation, which depend on the kinds of the entries. */
function confirmationFor(entries: readonly Entry[]) {
  const n = entries.length;
  if (entries.every(({ kind }) => kind === 'link'))
    return { title: t.revokeQuestion(n), body: t.revokeAbout, action: t.revokeAction(n) };
  if (entries.every(({ kind }) => kind === 'request'))
    return { title: t.closeQuestion(n), body: t.closeAbout, action: t.closeAction(n) };
  return { title: t.endQuestion(n), body: t.endAbout, action: t.endAction(n) };
}

/**
 * Asks for confirmation, then revokes links, closes requests and deletes drop links and clients' pages.
 * @returns undefined when the user cancelled, null on success, otherwise the error message.
 */
export async function endEntries(entries: readonly Entry[]): Promise<string | null | undefined> {
  if (!(await confirm({ ...confirmationFor(entries), danger: true }))) return undefined;
  const links = entries.flatMap((one) => (one.kind === 'link' ? [one.link.id] : []));
  try {
    let done = links.length > 0 ? (await calls.revoke(links)).done.length : 0;
    const onlyLinks = links.length === entries.length;
    for (const one of entries) {
      if (one.kind === 'link') continue;
      if (one.kind === 'request') await requestCalls.close(one.request.id);
      else if (one.kind === 'page') await api.delete(`/api/client-pages/${one.portal.id}`);
      else await api.delete(`/api/drop-links/${one.drop.id}`);
      done += 1;
    }
    toast.success(onlyLinks ? t.revoked(done) : t.ended(done));
    return null;
  } catch (failure) {
    return messageOf(failure, t.failed);
  }
}
