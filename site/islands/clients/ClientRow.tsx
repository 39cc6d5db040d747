import { useRef } from 'react';
import type { LucideIcon } from 'lucide-react';
import {
  Building2,
  Check,
  FolderOpen,
  HandHeart,
  Handshake,
  Landmark,
  Mail,
  Phone,
  User,
  UsersRound,
} from 'lucide-react';
import { initials } from '#server/auth/contract.ts';
import type { ClientType, ClientView } from '#server/clients/contract.ts';
import * as t from '#messages/clients.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { Badge } from '../../components/Badge.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { cx } from '../../lib/cx.ts';
import { clientHref, clientFilesHref } from '../../lib/search.ts';
import type { ClientAction } from './ClientMenu.tsx';
import { ClientMenu } from './ClientMenu.tsx';

export interface ClientRowProps {
  client: ClientView;
  /** The index in the list. */
  index: number;
  /** Whether the client is selected; undefined when the list is not in selection mode. */
  chosen?: boolean;
  onPick?: ((id: number, on: boolean, extend: boolean) => void) | undefined;
  onAction: (action: ClientAction, client: ClientView) => void;
}

const ICONS: Record<ClientType, LucideIcon> = {
  Individual: User,
  HUF: UsersRound,
  Firm: Handshake,
  LLP: Handshake,
  Company: Building2,
  Trust: HandHeart,
  'AOP/BOI': UsersRound,
  Society: UsersRound,
  Government: Landmark,
};

export function ClientRow({ client, index, chosen, onPick, onAction }: ClientRowProps) {
  const { id, name, email, phone, client_type, city, status, pan, gstin, group_name } = client;
  const Type = ICONS[client_type];
  return (
    <div
      role="row"
      data-id={id}
      aria-rowindex={index + 2}
      className={cx(
        'client-columns client-row border-b border-line',
        chosen ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
    >
      <div role="rowheader" className="flex min-w-0 items-center gap-3">
        {chosen === undefined ? (
          <Avatar initials={initials(name.replace(/[^\p{L}\p{M}\p{N}\s]/gu, ' ').trim())} />
        ) : (
          <SelectBox client={client} chosen={chosen} onPick={onPick} />
        )}
        <div className="min-w-0 flex-1">
          <a
            href={clientHref(id)}
            className="client-name block max-w-full truncate rounded-xs font-medium text-text no-underline hover:underline hover:underline-offset-2"
          >
            {name}
          </a>
          <span className="client-under truncate text-sm text-muted">
            <Type aria-hidden size={14} className="mr-1.5 inline align-[-2px]" />
            <span className="client-under-phone">
              <span className="sr-only">{t.types[client_type]}</span>
              {[phone, city].filter(Boolean).join(' · ')}
            </span>
            <span className="client-under-rest">
              {[t.types[client_type], city].filter(Boolean).join(' · ')}
            </span>
          </span>
          {group_name && <span className="client-group truncate text-xs text-muted">{group_name}</span>}
        </div>
      </div>
      <div role="cell" className="client-type items-center gap-2 text-muted">
        <Type aria-hidden size={16} className="shrink-0" />
        {t.types[client_type]}
      </div>
      <div role="cell" className="client-phone tabular truncate text-muted">
        {phone && (
          <a href={`tel:${phone.replace(/[^\d+]/g, '')}`} className="contact-link">
            <Phone aria-hidden size={14} className="shrink-0 opacity-70" />
            <span className="truncate">{phone}</span>
          </a>
        )}
      </div>
      <div role="cell" className="client-email truncate text-muted">
        {email && (
          <a href={`mailto:${email}`} className="contact-link" title={email}>
            <Mail aria-hidden size={14} className="shrink-0 opacity-70" />
            <span className="truncate">{email}</span>
          </a>
        )}
      </div>
      <div role="cell" className="client-city truncate text-muted">
        {city}
      </div>
      <div
        role="cell"
        className="client-pan tabular truncate text-muted"
        title={gstin ? t.gstinOf(gstin) : undefined}
      >
        {pan}
      </div>
      <div role="cell" className={cx('client-status', status === 'Active' && 'client-active')}>
        <Badge tone={status === 'Active' ? 'success' : 'neutral'}>{t.statuses[status]}</Badge>
      </div>
      <div role="cell" className="flex items-center justify-end gap-1">
        <a
          href={clientFilesHref(client)}
          aria-label={t.filesOf(name)}
          className={buttonClass('secondary', 'sm', 'client-files')}
        >
          <FolderOpen aria-hidden size={14} />
          <span className="max-sm:sr-only">{t.files}</span>
        </a>
        <ClientMenu
          client={client}
          label={t.actionsFor(name)}
          size="sm"
          onAction={(action) => onAction(action, client)}
        />
      </div>
    </div>
  );
}

type SelectBoxProps = Pick<ClientRowProps, 'client' | 'chosen' | 'onPick'>;

/** The checkbox in place of the avatar. Its label covers the row, so that a click anywhere selects the client. */
function SelectBox({ client: { id, name }, chosen, onPick }: SelectBoxProps) {
  // The click event that a label dispatches to its checkbox does not have the modifier keys.
  const extend = useRef(false);
  return (
    <label
      onPointerDown={({ shiftKey }) => void (extend.current = shiftKey)}
      className="client-pick flex size-8 shrink-0 items-center justify-center"
    >
      <input
        type="checkbox"
        aria-label={t.selectClient(name)}
        checked={chosen === true}
        onKeyDown={({ shiftKey }) => void (extend.current = shiftKey)}
        onChange={({ target }) => onPick?.(id, target.checked, extend.current)}
        className="peer sr-only"
      />
      <span
        aria-hidden
        className="flex size-4.5 items-center justify-center rounded-xs border border-line-strong bg-surface text-transparent peer-checked:border-accent peer-checked:bg-accent peer-checked:text-on-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-ring"
      >
        <Check size={13} strokeWidth={3} />
      </span>
    </label>
  );
}
