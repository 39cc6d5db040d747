import { useEffect, useState } from 'react';
import { Copy, MessageCircle } from 'lucide-react';
import type { PortalView } from '#server/portal/contract.ts';
import type { Language } from '#server/text/language.ts';
import { LANGUAGES, LANGUAGE_NAMES } from '#server/text/language.ts';
import * as t from '#messages/portal.ts';
import { portalTexts } from '../../messages/outside/texts.ts';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { ErrorAlert } from '../../components/ErrorAlert.tsx';
import { NoEmailAlert } from '../../components/NoEmailAlert.tsx';
import { Select } from '../../components/Select.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { TextArea } from '../../components/TextArea.tsx';
import { TextField } from '../../components/TextField.tsx';
import { api } from '../../lib/api.ts';
import { notifyChanged } from '../../lib/cache.ts';
import { copyText } from '../../lib/copyText.ts';
import { confirm } from '../../lib/confirm.ts';
import { saveClientLanguage } from '../../lib/clientLanguage.ts';
import { sendsEmail } from '../../lib/sendsEmail.ts';
import { $session } from '../../lib/session.ts';
import { toast } from '../../lib/toast.ts';
import { useSaving } from '../../lib/useSaving.ts';
import { whatsAppUrl } from '../../lib/whatsApp.ts';

const PAGES = '/api/client-pages';

interface PortalDialogProps {
  client: { id: number; name: string; email?: string | null };
  onClose: () => void;
}

/** Creates a client's page, sends its link, sets who can open it, and ends it. */
export default function PortalDialog({ client, onClose }: PortalDialogProps) {
  const [portal, setPortal] = useState<PortalView | null>();
  const [emails, setEmails] = useState('');
  const { busy, fault, submit } = useSaving(t.failed);
  const show = (shown: PortalView | null) => {
    setPortal(shown);
    setEmails(shown?.emails.join('\n') ?? '');
  };
  const load = submit(async () => {
    const [existing] = await api.get<PortalView[]>(PAGES, { query: { client: client.id } });
    show(existing ?? null);
  });
  useEffect(() => {
    void load();
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const save = submit(async () => {
    const had = Boolean(portal);
    show(await api.post<PortalView>(PAGES, { client_id: client.id, emails }));
    notifyChanged();
    if (had) toast.success(t.saved);
  });
  const renew = submit(async () => {
    const yes = await confirm({ title: t.renewQuestion, body: t.renewAbout, action: t.renew, danger: true });
    if (!yes) return;
    // Typed changes that are not saved yet stay.
    setPortal(await api.post<PortalView>(`${PAGES}/${portal!.id}/address`));
    notifyChanged();
  });
  const end = submit(async () => {
    const yes = await confirm({ title: t.endQuestion, body: t.endAbout, action: t.end, danger: true });
    if (!yes) return;
    await api.delete(`${PAGES}/${portal!.id}`);
    notifyChanged();
    toast.success(t.ended);
    onClose();
  });
  /** The dialog stays open after saving. */
  const changed = emails !== (portal?.emails.join('\n') ?? '');
  const ownAddress = portal ? portal.client_email : client.email;

  return (
    <Dialog title={t.dialogTitle(client.name)} size="md" isOpen onOpenChange={onClose} keepsTyped={changed}>
      <form className="contents" noValidate onSubmit={(event) => void save(event)}>
        <DialogBody className="flex flex-col gap-4">
          <NoEmailAlert text={t.noEmail} />
          <ErrorAlert error={fault} />
          <p className="text-muted">{t.dialogAbout}</p>
          {portal === undefined && !fault && <Spinner />}
          {portal && <CopyLink portal={portal} />}
          {portal !== undefined && (
            <div className="flex flex-col gap-2">
              <TextArea
                label={t.otherEmails}
                description={t.otherEmailsHint}
                rows={2}
                value={emails}
                onChange={setEmails}
              />
              {ownAddress !== undefined && (
                <p className="text-sm text-muted">
                  {ownAddress ? t.clientEmail(ownAddress) : t.noClientEmail}
                </p>
              )}
            </div>
          )}
          {portal && <SendLink portal={portal} />}
        </DialogBody>
        <DialogFooter>
          {portal && (
            <>
              <Button variant="danger-quiet" onPress={() => void end()}>
                {t.end}
              </Button>
              <Button onPress={() => void renew()}>{t.renew}</Button>
            </>
          )}
          <Button type="submit" variant="primary" busy={busy} isDisabled={portal === undefined}>
            {portal ? t.save : t.create}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function CopyLink({ portal: { url } }: { portal: PortalView }) {
  const copy = async () => ((await copyText(url)) ? toast.success(t.copied) : toast.error(t.copyBlocked));
  return (
    <div className="flex items-end gap-2">
      <TextField label={t.address} isReadOnly value={url} className="min-w-0 flex-1" />
      <Button variant="primary" icon={<Copy aria-hidden size={16} />} onPress={() => void copy()}>
        {t.copy}
      </Button>
    </div>
  );
}

/** Sends the page's link by e-mail to everybody who can open it, or by WhatsApp. */
function SendLink({ portal: { id, url, client, client_email, emails } }: { portal: PortalView }) {
  const [language, setLanguage] = useState(client.language);
  const { busy, fault, submit } = useSaving(t.failed);
  const to = [...(client_email ? [client_email] : []), ...emails];
  const text = portalTexts(language).message($session.get().user?.firm_name ?? '', url);
  const send = submit(async () => {
    const request = { emails: to.join('\n'), language };
    const { sent } = await api.post<{ sent: number }>(`${PAGES}/${id}/email`, request);
    toast.success(t.sentTo(sent));
  });
  return (
    <section aria-label={t.sendTitle} className="flex flex-col gap-3 border-t border-line pt-4">
      <ErrorAlert error={fault} />
      <Select
        label={t.language}
        className="max-w-64"
        options={LANGUAGES.map((language) => ({ id: language, label: LANGUAGE_NAMES[language] }))}
        value={language}
        onChange={(key) => {
          setLanguage(key as Language);
          saveClientLanguage(client.id, key as Language);
        }}
      />
      <div className="flex flex-wrap gap-2">
        {sendsEmail() && (
          <Button busy={busy} onPress={() => void send()}>
            {t.sendByEmail(to.length)}
          </Button>
        )}
        <a
          href={whatsAppUrl(client.phone, text)}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass('secondary')}
        >
          <MessageCircle aria-hidden size={16} />
          {t.whatsApp}
        </a>
      </div>
    </section>
  );
}
