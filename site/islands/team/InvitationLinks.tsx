import { Copy } from 'lucide-react';
import * as common from '#messages/common.ts';
import * as t from '#messages/team.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { TextField } from '../../components/TextField.tsx';
import { copyText } from '../../lib/copyText.ts';
import { toast } from '../../lib/toast.ts';

export interface InvitationLink {
  email: string;
  link: string;
}

const copy = async (link: string) =>
  (await copyText(link)) ? toast.success(t.linkCopied) : toast.error(t.linkBlocked);

/** Invitation links to send by hand, on a server without e-mail. They are shown only once. */
export function InvitationLinks({
  links,
  onClose,
}: {
  links: readonly InvitationLink[];
  onClose: () => void;
}) {
  return (
    <Dialog title={t.linksTitle(links.length)} size="md" isOpen onOpenChange={onClose}>
      <DialogBody className="flex flex-col gap-4">
        <Alert tone="warning">{common.noEmail}</Alert>
        <p className="text-muted">{t.linksAbout}</p>
        {links.map(({ email, link }) => (
          <div key={email} className="flex items-end gap-2">
            <TextField label={email} isReadOnly value={link} className="min-w-0 flex-1" />
            <Button
              aria-label={t.copyLink(email)}
              icon={<Copy aria-hidden size={16} />}
              onPress={() => void copy(link)}
            >
              {t.copy}
            </Button>
          </div>
        ))}
      </DialogBody>
      <DialogFooter>
        <Button variant="primary" onPress={onClose}>
          {t.done}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
