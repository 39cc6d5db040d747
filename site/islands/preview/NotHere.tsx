import { useQuery } from '@tanstack/react-query';
import * as common from '#messages/common.ts';
import * as t from '#messages/preview.ts';
import { ApiError } from '../../lib/apiError.ts';
import { driveHref } from '../../lib/driveLocation.ts';
import { itemDetails } from '../../lib/itemDetails.ts';
import { Failure } from './Failure.tsx';
import { Loading } from './Loading.tsx';

/** A file that the list does not have: it may be in another folder now, to which a link leads. */
export function NotHere({ id, onClose }: { id: number; onClose: () => void }) {
  const { data, error, isPending, refetch } = useQuery(itemDetails(id));
  if (isPending) return <Loading />;
  const isGone = error instanceof ApiError && error.status === 404;
  if (!data && !isGone) return <Failure title={t.failed} onRetry={() => void refetch()} onClose={onClose} />;
  const item = isGone ? null : data?.item;
  if (item?.type !== 'file')
    return (
      <Failure title={t.notHere} onClose={onClose}>
        {t.notHereAbout}
      </Failure>
    );
  const href = driveHref({ folderId: item.parent_id, previewId: item.id });
  return (
    <Failure title={t.notHere} link={{ href, label: t.showThere }} onClose={onClose}>
      {t.isIn(item.name, item.path || common.myDrive)}
    </Failure>
  );
}
