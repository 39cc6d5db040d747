import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import type { VersionList, VersionView } from '#server/documents/versions/contract.ts';
import * as t from '#messages/versions.ts';
import { messageOf } from '../../lib/apiError.ts';
import { refresh } from '../../lib/cache.ts';
import { confirm } from '../../lib/confirm.ts';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';
import { downloadFrom } from '../../lib/download.ts';
import { toast } from '../../lib/toast.ts';
import { calls, versionsKey } from './calls.ts';
import { momentsIn } from './moments.ts';

/** A file's versions and the actions on them, which show their own success and failure messages. */
export function useVersions(item: ItemView) {
  const cache = useQueryClient();
  const key = versionsKey(item.id);
  const list = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => calls.list(item.id, signal),
    // A colleague may have replaced the file since the list was loaded.
    staleTime: 0,
  });
  const [alert, setAlert] = useState<string | null>(null);

  /** @returns whether the change succeeded. */
  async function change(call: () => Promise<VersionList>, failed: string): Promise<boolean> {
    let done = true;
    try {
      const changed = await call();
      setAlert(null);
      cache.setQueryData(key, changed);
    } catch (error) {
      done = false;
      setAlert(messageOf(error, failed));
    }
    await refresh(cache);
    return done;
  }
  const ref = (version: VersionView) => ({ item: item.id, version: version.id ?? 0 });

  return {
    list,
    alert,
    setAlert,

    async download(version: VersionView): Promise<void> {
      try {
        downloadFrom(await calls.link(ref(version)));
        setAlert(null);
      } catch (error) {
        setAlert(messageOf(error, t.downloadFailed));
      }
    },

    async restore(version: VersionView): Promise<void> {
      const confirmed = await confirm({
        title: t.restoreQuestion,
        body: t.restoreAbout(truncateMiddle(item.name), momentsIn(list.data)(version)),
        action: t.restore,
      });
      if (confirmed && (await change(() => calls.restore(ref(version)), t.restoreFailed)))
        toast.success(t.restored(truncateMiddle(item.name)));
    },

    async remove(version: VersionView): Promise<void> {
      const about = t.deleteAbout(momentsIn(list.data)(version));
      const confirmed = await confirm({
        title: t.deleteQuestion,
        body: version.kept_as === null ? about : `${t.deleteKept(version.kept_as)} ${about}`,
        action: t.deleteVersion,
        danger: true,
      });
      if (confirmed && (await change(() => calls.remove(ref(version)), t.deleteFailed)))
        toast.success(t.deleted);
    },

    stopKeeping: (version: VersionView) => change(() => calls.keep(item.id, version.id, null), t.keepFailed),

    /** @throws {ApiError}. */
    async keep(version: VersionView, label: string): Promise<void> {
      cache.setQueryData(key, await calls.keep(item.id, version.id, label));
      await refresh(cache);
      toast.success(t.versionKept);
    },
  };
}
