import type { Actor } from '#server/actor.ts';
import { notFound } from '#server/http/errors.ts';
import type { DailyLimit } from '#server/links/daily-limit.ts';
import type { Links } from '#server/links/links.ts';
import { requireDownload } from '#server/links/links.ts';
import { deleteVersions, versionBytesOf } from '#server/records/versions.ts';
import type { BlobStore } from '#storage/blobs.ts';
import type { ChangeDependencies } from '../changes/dependencies.ts';
import { findItem } from '../rows.ts';
import type { VersionList, VersionRef } from './contract.ts';
import { aboutVersion } from './contract.ts';
import { listVersions, refusalToDelete } from './list.ts';
import { presentOf, uploadersOf } from './replace.ts';
import { restoreVersion } from './restore.ts';
import { findVersion } from './rows.ts';
import type { VersionRule } from './thin.ts';

interface VersionDependencies extends Pick<ChangeDependencies, 'db' | 'audit' | 'clock'> {
  blobs: Pick<BlobStore, 'get'>;
  links: Pick<Links, 'sign'>;
  daily: Pick<DailyLimit, 'requireLeft'>;
  rule: VersionRule;
}

/** Versions of files. Whoever sees a file sees its versions. */
export function createVersions(dependencies: VersionDependencies) {
  const { db, audit, clock, links, daily, rule } = dependencies;
  return {
    rule,

    /** @throws {AppError} 404 also for a folder, 403. */
    list: (actor: Actor, id: number): Promise<VersionList> => listVersions(db, actor, id, dependencies),

    /** Who uploaded the present content of these files, by file. */
    uploaders: (ids: readonly number[]): Promise<Map<number, number>> => uploadersOf(db, ids),

    /** Bytes of all earlier versions that the actor may see, including those of files in Trash. */
    bytes: (actor: Actor): Promise<number> => versionBytesOf(db, actor),

    /**
     * A download link for a version, valid for five minutes and this session.
     * @param inline the link is for a preview, which does not count as a download.
     * @throws {AppError} 404, 403; 429 `download_limit`.
     */
    async downloadUrl(actor: Actor, ref: VersionRef, { inline = false } = {}): Promise<string> {
      const { version } = await findVersion(db, actor, ref, 'documents.read');
      requireDownload(actor);
      const token = links.sign(actor, aboutVersion(ref));
      const detail = { name: version.name, version_of: version.created_at };
      if (!inline) await daily.requireLeft(actor, { subject: `item:${ref.item}`, detail });
      return `/api/documents/${ref.item}/versions/${ref.version}/content?token=${token}`;
    },

    /** See `restoreVersion`. @throws {AppError} 404, 403; 409 `damaged`, `same_content`, `replaced_again`; 422 `sealed`. */
    async restore(actor: Actor, ref: VersionRef, options: { undo?: boolean } = {}): Promise<VersionList> {
      await restoreVersion(dependencies, actor, ref, options);
      return listVersions(db, actor, ref.item, dependencies);
    },

    /** Deletes an earlier version for good. @throws {AppError} 404, 403, 422 `sealed`, 422 `held`, 422 `kept`. */
    async remove(actor: Actor, ref: VersionRef): Promise<VersionList> {
      await db.transaction(async (trx) => {
        const { item, version } = await findVersion(trx, actor, ref, 'documents.delete');
        const refusal = await refusalToDelete(trx, actor, item.id, clock());
        if (refusal) throw refusal;
        const { created_at: version_of, file_size: bytes, sha256 } = version;
        await audit.record(trx, {
          actor,
          did: 'document.delete_version',
          subject: `item:${item.id}`,
          detail: { name: item.name, version_of, bytes, sha256 },
        });
        await deleteVersions(trx, [version.id], clock());
      });
      return listVersions(db, actor, ref.item, dependencies);
    },

    /**
     * Keeps a version forever with a word that says why; null makes it subject to thinning again.
     * @param version null means the present content, which takes the word along when it becomes an earlier version.
     * @throws {AppError} 404, 403.
     */
    async keep(
      actor: Actor,
      { item: id, version }: { item: number; version: number | null },
      kept_as: string | null,
    ): Promise<VersionList> {
      await db.transaction(async (trx) => {
        const item = await findItem(trx, actor, id, 'documents.write');
        if (item.type !== 'file') throw notFound('file');
        const of =
          version === null
            ? { ...(await presentOf(trx, item)), created_at: item.modified_at }
            : (await findVersion(trx, actor, { item: id, version }, 'documents.write')).version;
        if (of.kept_as === kept_as) return;
        if (version === null) {
          const { user_id, restored_from } = of;
          const noted = { item_id: id, user_id, restored_from, kept_as };
          await trx('present_contents').insert(noted).onConflict('item_id').merge();
        } else await trx('versions').where({ id: version }).update({ kept_as, thinned_by: '' });
        await audit.record(trx, {
          actor,
          did: kept_as === null ? 'document.release_version' : 'document.keep_version',
          subject: `item:${id}`,
          detail: { name: item.name, version_of: of.created_at, word: kept_as ?? of.kept_as },
        });
      });
      return listVersions(db, actor, id, dependencies);
    },
  };
}
export type Versions = ReturnType<typeof createVersions>;
