import { notFound } from '#server/http/errors.ts';
import { sendFile } from '#server/http/send.ts';
import { requireDownload } from '#server/links/links.ts';
import { checkPreconditions } from './conditions.ts';
import type { DavDependencies, Method } from './dependencies.ts';
import { openDownload } from './download.ts';
import { etagValue } from './properties.ts';
import { bytesOfScratch } from './scratch-files.ts';

const A_DRIVE =
  'This is the address of a drive. Open it in Windows Explorer, Finder or another program for WebDAV, with the e-mail ' +
  'address of your account and an app password, which you make under Settings.\n';

/** GET and HEAD: the bytes of a file, or a range; for a folder, a hint how to connect. */
export const read =
  (dependencies: DavDependencies): Method =>
  async (ctx, actor) => {
    const { tree, blobs } = dependencies;
    const resolved = await tree.find(actor, ctx.state.names as string[]);
    const { entry } = resolved;
    if (!entry) throw notFound('file');
    await checkPreconditions(dependencies, ctx, actor, resolved);
    if (entry.type === 'folder') {
      ctx.body = A_DRIVE;
      return undefined;
    }
    const { name } = entry;
    const modifiedAt = entry.original_at ?? entry.modified_at;
    if (entry.scratch) {
      if (entry.scratch.source !== undefined) requireDownload(actor);
      const blob = bytesOfScratch(entry.scratch);
      const open = (range?: { start: number; end: number }) => blobs.get(blob.id, range);
      return sendFile(ctx, {
        name,
        fileType: null,
        size: blob.size,
        version: etagValue(blob.sha256),
        modifiedAt,
        open,
      });
    }
    const file = await openDownload(dependencies, actor, entry.id!, { counted: ctx.method === 'GET' });
    return sendFile(ctx, {
      name,
      fileType: file.file_type,
      size: file.size,
      version: etagValue(file.sha256),
      modifiedAt,
      open: (range) => blobs.get(file.blob_id, range),
    });
  };
