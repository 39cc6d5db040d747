import type { Audience, ShareMode, SharedItem, ShareView } from '#server/sharing/contract.ts';
import { DEFAULT_MAX_DAYS } from '#server/sharing/contract.ts';
import * as t from '#messages/sharing.ts';
import { Checkbox } from '../../components/Checkbox.tsx';
import { NoEmailAlert } from '../../components/NoEmailAlert.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { Select } from '../../components/Select.tsx';
import { TextArea } from '../../components/TextArea.tsx';
import { TextField } from '../../components/TextField.tsx';
import { may } from '../../lib/permissions.ts';
import { sendsEmail } from '../../lib/sendsEmail.ts';
import { ClientsShown } from './ClientsShown.tsx';
import { MaskFields } from './MaskFields.tsx';
import type { Fields } from './linkFields.ts';

export interface LinkFieldsProps {
  /** The shared items. */
  items: readonly Pick<SharedItem, 'id' | 'type'>[];
  fields: Fields;
  /** The client to whom all the items belong, on whose page the link can be shown. */
  clientId: number | null;
  set: (change: Partial<Fields>) => void;
  /** The link that is changed; absent for a new link. */
  before?: ShareView;
  /** The maximum validity of a link in days; absent until it is loaded. */
  maxDays?: number | undefined;
  errors: Partial<Record<string, string>>;
}

const optionsOf = <Id extends string>(names: Record<Id, string>) =>
  (Object.keys(names) as Id[]).map((id) => ({ id, label: names[id] }));

/** The fields of a link: recipients, rights, validity and protection. */
export function LinkFields({
  items,
  fields,
  clientId,
  set,
  before,
  maxDays = DEFAULT_MAX_DAYS,
  errors,
}: LinkFieldsProps) {
  const hasClient = clientId !== null;
  const modes = optionsOf(t.modes).filter(({ id }) => id === 'view' || may('documents.download'));
  return (
    <>
      <ClientsShown
        items={items}
        clientId={clientId}
        onPage={fields.audience === 'anyone' && fields.on_portal}
      />
      <Select
        label={t.who}
        description={t.audienceHints[fields.audience]}
        options={optionsOf(t.audiences)}
        value={fields.audience}
        onChange={(key) => set({ audience: key as Audience })}
      />
      {fields.audience === 'named' && <NoEmailAlert text={t.codesNeedEmail} />}
      {fields.audience === 'named' && (
        <TextArea
          label={t.addresses}
          description={t.addressesHint}
          error={errors['emails']}
          rows={3}
          value={fields.emails}
          onChange={(emails) => set({ emails })}
        />
      )}
      {fields.audience === 'anyone' && (
        <div className="flex flex-col gap-1">
          <Checkbox
            isSelected={fields.on_portal}
            isDisabled={!hasClient && !fields.on_portal}
            description={hasClient ? t.onPortalHint : t.onPortalNeedsClient}
            onChange={(on_portal) => set({ on_portal })}
          >
            {t.onPortal}
          </Checkbox>
          {errors['on_portal'] && (
            <p role="alert" className="text-sm text-danger-text">
              {errors['on_portal']}
            </p>
          )}
        </div>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={t.mode}
          description={t.modeHints[fields.mode]}
          error={errors['mode']}
          options={modes}
          value={fields.mode}
          onChange={(key) => set({ mode: key as ShareMode })}
        />
        <TextField
          label={t.expires}
          type="date"
          description={t.expiresHint(maxDays)}
          error={errors['expires_on']}
          value={fields.expires_on}
          onChange={(expires_on) => set({ expires_on })}
        />
        <PasswordField
          label={t.password}
          autoComplete="off"
          description={before?.has_password ? t.passwordKept : t.passwordHint}
          error={errors['password']}
          isDisabled={fields.open}
          value={fields.password}
          onChange={(password) => set({ password })}
        />
        {fields.mode === 'download' && (
          <TextField
            label={t.downloads}
            inputMode="numeric"
            description={t.downloadsHint}
            error={errors['max_downloads']}
            value={fields.max_downloads}
            onChange={(max_downloads) => set({ max_downloads })}
          />
        )}
      </div>
      {before?.has_password && (
        <Checkbox isSelected={fields.open} onChange={(open) => set({ open, password: '' })}>
          {t.removePassword}
        </Checkbox>
      )}
      <MaskFields ids={items.map(({ id }) => id)} fields={fields} set={set} />
      {sendsEmail() && (
        <Checkbox
          isSelected={fields.notify}
          description={t.notifyHint}
          onChange={(notify) => set({ notify })}
        >
          {t.notify}
        </Checkbox>
      )}
    </>
  );
}
