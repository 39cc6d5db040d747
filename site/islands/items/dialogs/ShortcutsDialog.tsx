import * as t from '#messages/items.ts';
import { Dialog, DialogBody } from '../../../components/Dialog.tsx';
import { shortcuts as SHORTCUTS } from '#messages/shortcuts.ts';

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t.keyboardShortcuts} isOpen onOpenChange={onClose} isDismissable size="lg">
      <DialogBody className="grid gap-x-10 gap-y-5 pb-6 md:grid-cols-2">
        {SHORTCUTS.map(({ title, shortcuts }) => (
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
