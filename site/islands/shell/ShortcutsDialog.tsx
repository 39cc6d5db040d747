import { useState } from 'react';
import * as t from '#messages/shortcuts.ts';
import { Dialog, DialogBody } from '../../components/Dialog.tsx';
import { cx } from '../../lib/cx.ts';

const DRIVE = '/dashboard';

/** The keyboard shortcuts of the screen at the path, or of the preview over it. */
export function ShortcutsDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const [isPreview] = useState(() => document.querySelector('.preview-layer') !== null);
  const screen = isPreview ? t.PREVIEW : path.startsWith(`${DRIVE}/`) ? DRIVE : path;
  // The search is behind a preview.
  const groups = t.shortcuts.filter(({ on }) => (on ? on.includes(screen) : !isPreview));
  return (
    <Dialog
      title={t.title}
      isOpen
      onOpenChange={onClose}
      isDismissable
      size={groups.length > 1 ? 'lg' : 'sm'}
    >
      <DialogBody className={cx('grid gap-x-10 gap-y-5 pb-6', groups.length > 1 && 'md:grid-cols-2')}>
        {groups.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className="mb-1 font-semibold">{title}</h3>
            <dl>
              {shortcuts.map(({ keys, does }) => (
                <div
                  key={keys}
                  className="flex items-center justify-between gap-4 border-b border-line py-1.5 last:border-b-0"
                >
                  <dt className="text-muted">{does}</dt>
                  <dd>
                    <kbd className="rounded-xs border border-line bg-sunken px-1.5 py-0.5 font-sans text-xs whitespace-nowrap">
                      {keys}
                    </kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </DialogBody>
    </Dialog>
  );
}
