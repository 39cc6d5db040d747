import * as t from '#messages/clients.ts';
import { confirm } from '../../lib/confirm.ts';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';
import { toast } from '../../lib/toast.ts';
import { calls } from './calls.ts';

/** Deletes a client after a confirmation that names what is linked to it. @returns whether it was deleted. @throws {ApiError} */
export async function removeClient(id: number, name?: string): Promise<boolean> {
  const [{ files, folders }, called] = await Promise.all([
    calls.tied(id),
    name ?? calls.one(id).then((client) => client.name),
  ]);
  const linked = files + folders > 0 ? t.linkedItems(files, folders) : null;
  const body = linked === null ? t.nothingLinked : t.someLinked(files + folders, linked);
  const yes = await confirm({
    title: t.deleteQuestion(called),
    body,
    action: t.deleteNamed(truncateMiddle(called)),
    danger: true,
  });
  if (!yes) return false;
  await calls.remove(id);
  toast.success(t.deleted(called), linked ? { description: t.unlinked(linked) } : {});
  return true;
}
