import { formatBytes } from '#server/text/format-bytes.ts';
import * as t from '#messages/trash.ts';
import type { ConfirmOptions } from '../../lib/confirm.ts';
import type { Staying } from '../items/staying.ts';
import { withStaying } from '../items/staying.ts';

/** Asks whether to empty Trash: how much is deleted, and what of `all` stays. */
export const emptyQuestion = (all: { items: number; bytes: number }, staying: Staying): ConfirmOptions =>
  withStaying(
    {
      title: t.emptyQuestion,
      body: t.emptyAbout(all.items - staying.count, formatBytes(all.bytes - (staying.bytes ?? 0))),
      action: t.empty,
      danger: true,
    },
    all.items,
    staying,
  );
