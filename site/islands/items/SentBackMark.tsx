import type { ItemView } from '#server/documents/contract.ts';
import * as t from '#messages/items.ts';
import { badgeClass } from '../../components/Badge.tsx';

/** The badge of a file that was sent back to the client who had sent it. */
export const SentBackMark = ({ item: { sent_back: reason } }: { item: ItemView }) =>
  reason !== undefined && (
    <span title={reason || undefined} className={badgeClass('warning', 'shrink-0')}>
      {t.sentBack}
      {reason && <span className="sr-only">: {reason}</span>}
    </span>
  );
