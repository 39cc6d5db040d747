import { MessageCircle } from 'lucide-react';
import type { RequestLink } from '#server/requests/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/requests.ts';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { NewLink } from '../../components/NewLink.tsx';
import { whatsAppUrl } from '../../lib/whatsApp.ts';

/** The link of a request that was just created and that no e-mail has taken to the client. */
export function ByHandLink({
  link: { url, phone, message },
  onDone,
}: {
  link: RequestLink;
  onDone: () => void;
}) {
  return (
    <>
      <DialogBody className="flex flex-col gap-4">
        <p className="text-muted">{t.passItOn}</p>
        <NewLink url={url} />
        <a
          href={whatsAppUrl(phone, message)}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass('secondary', 'md', 'shrink-0 self-start')}
        >
          <MessageCircle aria-hidden size={16} />
          {t.whatsApp}
        </a>
      </DialogBody>
      <DialogFooter>
        <Button onPress={onDone}>{common.done}</Button>
      </DialogFooter>
    </>
  );
}
