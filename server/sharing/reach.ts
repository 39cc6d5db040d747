import type { Actor } from '#server/actor.ts';
import type { Documents } from '#server/documents/service.ts';

/** More files than anybody shares every day. */
const FILES_MAX = 200;

/**
 * Whether a link to these items would show a complete client or a top-level folder, or in sum nearly as much: half of
 * what lies in such a folder, or very many files.
 */
export async function isLarge(
  documents: Pick<Documents, 'views' | 'walk'>,
  actor: Actor,
  ids: readonly number[],
): Promise<boolean> {
  const chosen = await documents.views(actor, [...new Set(ids)]);
  const parents = [...new Set(chosen.flatMap(({ parent_id }) => parent_id ?? []))];
  const above = await documents.views(actor, parents);
  const over = [...new Set(above.flatMap(({ parent_id }) => parent_id ?? []))];
  const clientOf = new Map(
    [...above, ...(await documents.views(actor, over))].map(({ id, client_id }) => [id, client_id]),
  );
  const isWhole = ({ type, parent_id, client_id }: (typeof chosen)[number]) =>
    type === 'folder' &&
    (parent_id === null || (client_id !== null && clientOf.get(parent_id) !== client_id));
  if (chosen.some(isWhole)) return true;
  const folders = chosen.filter(({ type }) => type === 'folder');
  for (const parent of above.filter(isWhole)) {
    const shown = folders.filter(({ parent_id }) => parent_id === parent.id).length;
    if (shown > 1 && shown * 2 >= (parent.children_count ?? 0)) return true;
  }
  let files = 0;
  const shared = chosen.map(({ id }) => id);
  if (folders.length > 0)
    for await (const { type } of documents.walk(actor, shared))
      if (type === 'file' && (files += 1) > FILES_MAX) return true;
  return false;
}
