import * as t from '#messages/clients.ts';
import { confirm } from '../../lib/confirm.ts';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';
import { toast } from '../../lib/toast.ts';
import { calls } from './calls.ts';

/** Deletes a client after a confirmation that names what is linked to it, and what ends with it, or why it has to stay. @returns whether it was deleted. @throws {ApiError} */
export async function removeClient(id: number, name?: string): Promise<boolean> {
  const [{ files, folders, requests, open_requests, drop_link, page, refused }, called] = await Promise.all([
    calls.tied(id),
    name ?? calls.one(id).then((client) => client.name),
  ]);
  const linked = files + folders > 0 ? t.linkedItems(files, folders) : null;
  const body = [
    linked === null ? t.nothingLinked : t.someLinked(files + folders, linked),
    requests > 0 && `${t.requestsEnd(requests, open_requests)} ${t.answersKept}`,
    (drop_link || page) && t.linksEnd(drop_link, page),
    t.cannotUndo,
  ];
  const yes = await confirm({
    title: t.deleteQuestion(called),
    body: refused ?? body.filter(Boolean).join(' '),
    refused: refused !== null,
    action: t.deleteNamed(truncateMiddle(called)),
    danger: true,
  });
  if (!yes) return false;
  await calls.remove(id);
  const done = [linked && t.unlinked(linked), requests > 0 && t.requestsEnded(requests)].filter(Boolean);
  toast.success(t.deleted(called), done.length > 0 ? { description: done.join(' ') } : {});
  return true;
}
