import { confirm } from '../../lib/confirm.ts';
import { plural } from '../../lib/format.ts';
import { short } from '../../lib/middleCut.ts';
import { toast } from '../../lib/toast.ts';
import { calls } from './calls.ts';

/** Asks, with what is linked to the client, and deletes. @returns whether it was deleted. @throws {ApiError}. */
export async function removeClient(id: number, name?: string): Promise<boolean> {
  const [{ files, folders }, called] = await Promise.all([
    calls.tied(id),
    name ?? calls.one(id).then((one) => one.name),
  ]);
  const linked = [files > 0 && plural(files, 'file'), folders > 0 && plural(folders, 'folder')]
    .filter(Boolean)
    .join(' and ');
  const body = linked
    ? `${linked} ${files + folders === 1 ? 'is' : 'are'} linked to this client. Nothing of it is deleted: it stays where it is and belongs to no client. This action cannot be undone.`
    : 'No files are linked to this client. This action cannot be undone.';
  const yes = await confirm({
    title: `Delete '${called}'?`,
    body,
    action: `Delete '${short(called)}'`,
    danger: true,
  });
  if (!yes) return false;
  await calls.remove(id);
  toast.success(`'${called}' deleted`, linked ? { description: `${linked} unlinked.` } : {});
  return true;
}
