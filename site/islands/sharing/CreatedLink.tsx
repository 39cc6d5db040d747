import { useQuery } from '@tanstack/react-query';
import { MessageCircle } from 'lucide-react';
import { useState } from 'react';
import type { NewShare } from '#server/sharing/contract.ts';
import type { Language } from '#server/text/language.ts';
import { LANGUAGES, LANGUAGE_NAMES, longDay } from '#server/text/language.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/sharing.ts';
import { recipientTexts } from '../../messages/outside/texts.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { NewLink } from '../../components/NewLink.tsx';
import { Select } from '../../components/Select.tsx';
import { TextArea } from '../../components/TextArea.tsx';
import { saveClientLanguage } from '../../lib/clientLanguage.ts';
import { confirm } from '../../lib/confirm.ts';
import { sendsEmail } from '../../lib/sendsEmail.ts';
import { formatDate } from '../../lib/format.ts';
import { $session } from '../../lib/session.ts';
import { toast } from '../../lib/toast.ts';
import { calls } from './calls.ts';
import { describeItems } from './describeItems.ts';
import { MaskResult } from './MaskResult.tsx';
import { useSaving } from '../../lib/useSaving.ts';
import { whatsAppUrl } from '../../lib/whatsApp.ts';

/** What a link opens, so that it goes to the right person in a busy week. */
const linkMade = ({ items, client, expires_on, audience, has_password }: NewShare['share']): string =>
  t.linkMade(describeItems(items), {
    // A client's folder mostly has the client's name.
    client: items.length === 1 && items[0]?.name === client?.name ? null : (client?.name ?? null),
    day: formatDate(expires_on),
    isNamed: audience === 'named',
    isProtected: has_password,
  });

/** A link that was just created, to copy or send now: the server does not store its address. */
export function CreatedLink({
  link: { share, url },
  onUnsent,
  onDone,
  onRevoked,
}: {
  link: NewShare;
  /** Told whether addresses are typed to which the link was not sent. */
  onUnsent: (unsent: boolean) => void;
  onDone: () => void;
  onRevoked: () => void;
}) {
  const clientId = share.client?.id;
  const { data: client } = useQuery({
    queryKey: ['link-client', clientId],
    queryFn: ({ signal }) => calls.client(clientId!, signal),
    enabled: clientId !== undefined,
  });
  const named = share.recipients.map(({ email }) => email).join(', ');
  const [typedEmails, setTypedEmails] = useState<string>();
  const emails = typedEmails ?? (named === '' ? (client?.email ?? '') : named);
  const [sent, setSent] = useState<string>();
  const { busy, fault, submit } = useSaving(t.failed);
  const revoking = useSaving(t.failed);
  const firm = $session.get().user?.firm_name ?? '';
  const [chosenLanguage, setLanguage] = useState<Language>();
  const language = chosenLanguage ?? client?.language ?? 'en';
  const recipientMessages = recipientTexts(language);
  const contents =
    share.items.length === 1 ? describeItems(share.items) : recipientMessages.items(share.items.length);
  const text = recipientMessages.message(firm, contents, longDay(share.expires_on, language), url);

  const send = submit(async () => {
    const { sent: number } = await calls.send(share.id, url, emails, language);
    setSent(t.sent(number));
    onUnsent(false);
  });
  const revoke = revoking.submit(async () => {
    const yes = await confirm({
      title: t.revokeQuestion(1, describeItems(share.items)),
      body: t.revokeAbout,
      action: t.revokeAction(1),
      danger: true,
    });
    if (!yes) return;
    await calls.revoke([share.id]);
    toast.success(t.revoked(1));
    onRevoked();
  });

  return (
    <>
      <DialogBody className="flex flex-col gap-4">
        {revoking.fault && <Alert>{revoking.fault.text}</Alert>}
        <p className="wrap-anywhere">{linkMade(share)}</p>
        <p className="text-muted">{t.shownOnce}</p>
        <NewLink url={url} />
        {share.mask_aadhaar && <MaskResult ids={share.items.map(({ id }) => id)} link={share} />}
        <Select
          label={t.language}
          description={sendsEmail() ? t.languageHint : t.languageHintNoEmail}
          className="max-w-64"
          options={LANGUAGES.map((id) => ({ id, label: LANGUAGE_NAMES[id] }))}
          value={language}
          onChange={(key) => {
            setLanguage(key as Language);
            if (clientId !== undefined) saveClientLanguage(clientId, key as Language);
          }}
        />
        <a
          href={whatsAppUrl(client?.phone, text)}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass('secondary', 'md', 'shrink-0 self-start')}
        >
          <MessageCircle aria-hidden size={16} />
          {t.whatsApp}
        </a>
        {sendsEmail() ? (
          <form
            noValidate
            className="flex flex-col gap-3 border-t border-line pt-4"
            onSubmit={(event) => void send(event)}
          >
            <h3 className="text-sm font-semibold">{t.sendByEmail}</h3>
            {fault && <Alert>{fault.text}</Alert>}
            <TextArea
              label={t.sendTo}
              rows={2}
              value={emails}
              onChange={(typed) => {
                setTypedEmails(typed);
                setSent(undefined);
                onUnsent(typed.trim() !== '');
              }}
              description={t.addressesHint}
            />
            <div className="flex min-h-8 items-center gap-3">
              <Button type="submit" busy={busy} busyLabel={t.sending} isDisabled={emails.trim() === ''}>
                {t.send}
              </Button>
              <p role="status" className="text-sm text-success-text">
                {sent}
              </p>
            </div>
          </form>
        ) : (
          <p className="text-sm text-muted">{common.noEmail}</p>
        )}
      </DialogBody>
      <DialogFooter>
        <Button className="mr-auto" busy={revoking.busy} onPress={() => void revoke()}>
          {t.revoke}
        </Button>
        <Button onPress={onDone}>{t.done}</Button>
      </DialogFooter>
    </>
  );
}
