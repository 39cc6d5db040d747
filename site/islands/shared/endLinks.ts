import * as t from '#messages/sharing.ts';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/apiError.ts';
import { confirm } from '../../lib/confirm.ts';
import { toast } from '../../lib/toast.ts';
import { calls as asking } from '../asking/calls.ts';
import { calls } from '../sharing/calls.ts';
import type { Entry } from './entries.ts';

/** What is asked before these are ended: each kind ends in its own way. */
function questionOf(entries: readonly Entry[]) {
  const n = entries.length;
  if (entries.every(({ kind }) => kind === 'link'))
    return { title: t.revokeQuestion(n), body: t.revokeAbout, action: t.revokeAction(n) };
  if (entries.every(({ kind }) => kind === 'request'))
    return { title: t.closeQuestion(n), body: t.closeAbout, action: t.closeAction(n) };
  return { title: t.endQuestion(n), body: t.endAbout, action: t.endAction(n) };
}

/**
 * Revokes links and closes requests, once that was confirmed.
 * @returns undefined when it was not; null when all went well; else why it did not.
 */
export async function endEntries(entries: readonly Entry[]): Promise<string | null | undefined> {
  if (!(await confirm({ ...questionOf(entries), danger: true }))) return undefined;
  const links = entries.flatMap((one) => (one.kind === 'link' ? [one.link.id] : []));
  try {
    let done = links.length > 0 ? (await calls.revoke(links)).done.length : 0;
    const onlyLinks = links.length === entries.length;
    for (const one of entries) {
      if (one.kind === 'link') continue;
      if (one.kind === 'request') await asking.close(one.request.id);
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
