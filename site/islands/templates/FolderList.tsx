import { Folder, FolderLock, FolderPlus, FolderX } from 'lucide-react';
import type { FolderState, FolderTree } from '#server/documents/contract.ts';
import * as t from '#messages/templates.ts';
import { cx } from '../../lib/cx.ts';

const STATE_TEXTS = { new: t.fresh, there: t.existing, taken: t.taken, sealed: t.sealed };
const ICONS = { new: FolderPlus, there: Folder, taken: FolderX, sealed: FolderLock };

/** A folder tree as an indented list. */
export function FolderList({
  label,
  folders,
  plain = false,
}: {
  label: string;
  folders: readonly FolderState[];
  /** Leaves out the state of each folder. */
  plain?: boolean;
}) {
  return (
    <ul aria-label={label} className="flex flex-col gap-0.5">
      {folders.map(({ name, depth, state }, at) => {
        const Icon = plain ? Folder : ICONS[state];
        return (
          <li
            key={`${at}/${name}`}
            className="flex min-h-6 items-center gap-2"
            style={{ paddingInlineStart: `${depth * 1.125}rem` }}
          >
            <Icon
              aria-hidden
              size={15}
              className={cx('shrink-0', state === 'new' && !plain ? 'text-accent-text' : 'text-muted')}
            />
            <span className="min-w-0 flex-1 truncate" title={name}>
              {name}
            </span>
            {!plain && (
              <span
                className={cx(
                  'shrink-0 text-xs',
                  state === 'taken' || state === 'sealed' ? 'text-danger-text' : 'text-muted',
                )}
              >
                {STATE_TEXTS[state]}
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Flattens a tree for FolderList. */
export const linesOf = (folders: readonly FolderTree[], depth = 0): FolderState[] =>
  folders.flatMap(({ name, folders: inside }) => [
    { name, depth, state: 'new' as const },
    ...linesOf(inside, depth + 1),
  ]);
