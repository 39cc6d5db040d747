import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy, EllipsisVertical, FolderOpen, MessageCircle, Send } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type {
  JudgeRow,
  RequestFile,
  RequestLink,
  RequestRow,
  RequestView,
} from '#server/requests/contract.ts';
import { RETURNS_DELAY_MINUTES } from '#server/requests/contract.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/requests.ts';
import * as sharing from '#messages/sharing.ts';
import * as shell from '#messages/shell.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { buttonClass } from '../../components/buttonClass.ts';
import { Dialog, DialogBody } from '../../components/Dialog.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { Menu, MenuItem, MenuTrigger } from '../../components/Menu.tsx';
import { Skeleton } from '../../components/Skeleton.tsx';
import { ApiError, messageOf } from '../../lib/apiError.ts';
import { refresh, refreshKeys } from '../../lib/cache.ts';
import { copyText } from '../../lib/copyText.ts';
import { confirm, confirmDiscard } from '../../lib/confirm.ts';
import { formatDate, formatTime, relativeTime } from '../../lib/format.ts';
import { isOverlayOpen } from '../../lib/overlay.ts';
import { sendsEmail } from '../../lib/sendsEmail.ts';
import { toast } from '../../lib/toast.ts';
import { useBusy } from '../../lib/useBusy.ts';
import { whatsAppUrl } from '../../lib/whatsApp.ts';
import { nothingToUndo } from '../../lib/undoKey.ts';
import { useUndoKey } from '../../lib/useUndoKey.ts';
import { calls } from './calls.ts';
import { EditDialog } from './EditDialog.tsx';
import { KeptReason } from './KeptReason.tsx';
import { takePreviewed } from './lastPreviewed.ts';
import { RowItem } from './RowItem.tsx';
import { StateBadge } from './StateBadge.tsx';

/** As in the list of everything shared. */
const closeQuestion = {
  title: sharing.closeQuestion(1),
  body: sharing.closeAbout,
  action: sharing.closeAction(1),
  danger: true,
};

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

const hasMissing = ({ rows }: RequestView): boolean =>
  rows.some(({ state }) => state === 'wanted' || state === 'returned');

/** The keys of what can be sent back. */
const judgedIn = (request: RequestView | undefined): Set<string> =>
  new Set(request?.rows.flatMap((row) => [`row ${row.id}`, ...row.files.map((file) => `file ${file.id}`)]));

/** The present state of a row, or how one of its files was judged. */
function stateIn(request: RequestView | undefined, of: RequestRow | RequestFile): string | null | undefined {
  if ('files' in of) return request?.rows.find(({ id }) => id === of.id)?.state;
  return request?.rows.flatMap(({ files }) => files).find(({ id }) => id === of.id)?.judged;
}

interface TypedReason {
  /** The name of the document or file. */
  about: string;
  reason: string;
}

/** One request: the documents with the received files, and the actions. */
export default function RequestDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const cache = useQueryClient();
  const key = ['requests', id] as const;
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => calls.one(id, signal),
    // Not asked for again with each change of something else.
    enabled: ({ state }) => !isNotFound(state.error),
  });
  // A colleague has deleted it, or has taken away the client, while the dialog was open.
  const isGone = isNotFound(error);
  // A client that was given back is found when the request is opened again.
  useEffect(
    () => () =>
      cache.removeQueries({ queryKey: ['requests', id], predicate: ({ state }) => isNotFound(state.error) }),
    [cache, id],
  );
  const request = isGone ? undefined : data;
  const list = useRef<HTMLUListElement>(null);
  const isShown = request !== undefined;
  useEffect(() => {
    const item = isShown && takePreviewed(id);
    // After the dialog itself has taken the focus.
    if (item)
      requestAnimationFrame(() =>
        list.current?.querySelector<HTMLElement>(`a[href*="preview=${item}&"]`)?.focus(),
      );
  }, [id, isShown]);
  const [alert, setAlert] = useState<string | null>(null);
  const [editing, setEditing] = useState(false);
  const lastJudged = useRef<{ of: RequestRow | RequestFile; state: JudgeRow['state'] } | null>(null);
  const reminding = useBusy();
  /** The typed reasons that are not sent, by what they are for: `row 1`, `file 2`. */
  const [typed, setTyped] = useState<ReadonlyMap<string, TypedReason>>(new Map());
  const setTypedFor = (key: string, about: string, reason: string): void =>
    setTyped((old) => {
      const others = [...old].filter(([one]) => one !== key);
      return new Map(reason === '' ? others : [...others, [key, { about, reason }]]);
    });
  // A row may be removed by an edit, a file taken back by the client, and the whole request deleted.
  const homeless = [...typed].filter(([key]) => !judgedIn(request).has(key));
  const isUnsaved = typed.size > 0;
  async function leave(): Promise<void> {
    if (!isUnsaved || (await confirmDiscard(common.notSaved))) onClose();
  }

  /** @returns whether the change was saved. */
  async function apply(change: () => Promise<RequestView>, message?: string): Promise<boolean> {
    setAlert(null);
    try {
      cache.setQueryData(key, await change());
      if (message) toast.success(message);
      return true;
    } catch (failure) {
      setAlert(messageOf(failure, t.failed));
      return false;
    } finally {
      // Lists of the drive mark what was sent back.
      void refresh(cache);
    }
  }
  /** Judges a row or one of its files so that Ctrl+Z takes it back. */
  async function judge(of: RequestRow | RequestFile, how: JudgeRow): Promise<boolean> {
    const { id: judged } = of;
    const change = () => ('files' in of ? calls.judge : calls.judgeFile)(id, judged, how);
    const saved = await apply(change);
    if (saved) lastJudged.current = how.state === 'received' ? null : { of, state: how.state };
    return saved;
  }
  function takeBack(): void {
    const last = lastJudged.current;
    // A colleague may have decided since.
    const now = last && stateIn(request, last.of);
    if (!last || now !== last.state) return nothingToUndo();
    lastJudged.current = null;
    void judge(last.of, { state: 'received', reason: '' }).then(
      (saved) => saved && toast.success(t.takenBack(last.of.name)),
    );
  }
  useUndoKey(takeBack, () => editing || isOverlayOpen('[role="dialog"]'));
  async function withLink(
    use: (link: RequestLink) => Promise<void> | void,
    fetchLink = calls.link,
  ): Promise<void> {
    setAlert(null);
    try {
      await use(await fetchLink(id));
    } catch (failure) {
      setAlert(messageOf(failure, t.failed));
    }
  }
  async function copy({ url }: RequestLink): Promise<void> {
    if (await copyText(url)) toast.success(t.copied);
    else setAlert(t.copyBlocked(url));
  }
  const whatsApp = ({ phone, message }: RequestLink): void =>
    void window.open(whatsAppUrl(phone, message), '_blank', 'noopener');

  async function runAction(action: string): Promise<void> {
    if (action === 'edit') setEditing(true);
    if (action === 'close' && (await confirm(closeQuestion))) await apply(() => calls.close(id), t.closed);
    if (action === 'reopen') await apply(() => calls.reopen(id));
    if (action === 'address') {
      const body = { title: t.newAddressQuestion, body: t.newAddressAbout, action: t.newAddress };
      if (await confirm(body)) await withLink(() => void toast.success(t.newAddressDone), calls.renew);
    }
    if (action !== 'delete' || !request) return;
    const confirmation = {
      title: t.removeQuestion(request.title),
      body: t.removeAbout,
      action: t.remove,
      danger: true,
    };
    if (!(await confirm(confirmation))) return;
    try {
      await calls.remove(id);
      toast.success(t.removed);
      // First the list: its line takes the focus back when the dialog closes, and would then disappear with it.
      await refreshKeys(cache, ['requests', 'list']);
      onClose();
    } catch (failure) {
      setAlert(messageOf(failure, t.failed));
    }
  }

  return (
    <Dialog
      title={request ? `${request.client.name}: ${request.title}` : shell.requests}
      size="lg"
      isOpen
      isUnsaved={isUnsaved}
      onOpenChange={() => void leave()}
    >
      <DialogBody className="pb-5">
        {isGone ? (
          <Alert className="mb-3">{t.gone}</Alert>
        ) : (
          (alert ?? error) && <Alert className="mb-3">{alert ?? messageOf(error, t.loadFailed)}</Alert>
        )}
        {homeless.map(([key, { about, reason }]) => (
          <KeptReason key={key} about={about} reason={reason} onDismiss={() => setTypedFor(key, about, '')} />
        ))}
        {request ? (
          <>
            <p className="text-sm text-muted">
              <span className="mr-2">
                <StateBadge request={request} />
              </span>
              {[
                request.due_on === null
                  ? t.noDue
                  : (request.overdue ? t.overdue : t.due)(formatDate(request.due_on)),
                t.askedBy(request.made_by.name),
                request.last_opened_at ? t.opened(relativeTime(request.last_opened_at)) : t.neverOpened,
                request.reminded_at && t.reminded(relativeTime(request.reminded_at)),
                sendsEmail() && (request.email === '' ? t.noEmail : t.emailTo(request.email)),
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
            {request.done ? (
              <p className="mt-1 text-sm font-medium">
                {t.finished(formatDate(request.done.at), request.done.receipt)}
              </p>
            ) : (
              request.receipt && <p className="mt-1 text-sm text-muted">{t.lastReceipt(request.receipt)}</p>
            )}
            <p role="status" className="text-sm not-empty:mt-1">
              {request.tells_at &&
                `${t.tells(formatTime(request.tells_at))} ${t.tellsAll(RETURNS_DELAY_MINUTES)}`}
            </p>
            {request.note && <p className="mt-1 text-sm break-words whitespace-pre-line">{request.note}</p>}
            {request.state === 'open' && !sendsEmail() && (
              <Alert tone="warning" className="mt-3">
                {common.noEmail}
              </Alert>
            )}
            <div className="mt-3 flex flex-wrap gap-2">
              {request.state === 'open' && (
                <>
                  <Button
                    icon={<Send aria-hidden size={16} />}
                    busy={reminding.busy}
                    isDisabled={!sendsEmail() || request.email === '' || !hasMissing(request)}
                    onPress={() => void reminding.run(() => apply(() => calls.remind(id), t.remindedNow))}
                  >
                    {t.remind}
                  </Button>
                  <Button icon={<Copy aria-hidden size={16} />} onPress={() => void withLink(copy)}>
                    {t.copyLink}
                  </Button>
                  <Button
                    variant={sendsEmail() || request.waiting_for === 'office' ? 'secondary' : 'primary'}
                    icon={<MessageCircle aria-hidden size={16} />}
                    onPress={() => void withLink(whatsApp)}
                  >
                    {t.whatsApp}
                  </Button>
                </>
              )}
              {request.folder_id !== null && (
                <a href={`/dashboard/folder/${request.folder_id}`} className={buttonClass('secondary')}>
                  <FolderOpen aria-hidden size={16} />
                  {t.openFolder}
                </a>
              )}
              <MenuTrigger>
                <IconButton label={t.moreActions}>
                  <EllipsisVertical aria-hidden size={16} />
                </IconButton>
                <Menu onAction={(action) => void runAction(String(action))}>
                  <MenuItem id="edit">{t.edit}</MenuItem>
                  <MenuItem id="address">{t.newAddress}</MenuItem>
                  {request.state === 'closed' ? (
                    <MenuItem id="reopen">{t.reopen}</MenuItem>
                  ) : (
                    <MenuItem id="close">{t.close}</MenuItem>
                  )}
                  <MenuItem id="delete" danger>
                    {t.remove}
                  </MenuItem>
                </Menu>
              </MenuTrigger>
            </div>
            <ul ref={list} className="mt-2">
              {request.rows.map((row) => (
                <RowItem
                  key={row.id}
                  row={row}
                  requestId={id}
                  folderId={request.folder_id}
                  requestState={request.state}
                  onJudge={(how) => judge(row, how)}
                  onTyping={(reason) => setTypedFor(`row ${row.id}`, row.name, reason)}
                  onJudgeFile={judge}
                  onTypingFor={(file, reason) => setTypedFor(`file ${file.id}`, file.name, reason)}
                />
              ))}
            </ul>
          </>
        ) : (
          !error && <Skeleton className="h-40" />
        )}
      </DialogBody>
      {/* Above the request, whose typed reasons stay. */}
      {editing && request && (
        <EditDialog
          request={request}
          onClose={() => setEditing(false)}
          onSaved={(saved) => {
            // What the user removes needs no reason.
            setTyped(new Map([...typed].filter(([key]) => judgedIn(saved).has(key))));
            void apply(() => Promise.resolve(saved));
          }}
        />
      )}
    </Dialog>
  );
}
