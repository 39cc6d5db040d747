import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import type { CreatedRequests, RequestLink } from '#server/requests/contract.ts';
import { DEFAULT_REMINDERS, MAX_CLIENTS } from '#server/requests/contract.ts';
import type { Language } from '#server/text/language.ts';
import * as common from '#messages/common.ts';
import * as t from '#messages/requests.ts';
import { Alert } from '../../components/Alert.tsx';
import { Button } from '../../components/Button.tsx';
import { ClientPicker } from '../../components/ClientPicker.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../components/Dialog.tsx';
import { IconButton } from '../../components/IconButton.tsx';
import { NoEmailAlert } from '../../components/NoEmailAlert.tsx';
import { Select } from '../../components/Select.tsx';
import { TextField } from '../../components/TextField.tsx';
import { ApiError, invalid } from '../../lib/apiError.ts';
import { refreshKeys } from '../../lib/cache.ts';
import { confirm, confirmDiscard } from '../../lib/confirm.ts';
import { isoDateInIndia } from '../../lib/format.ts';
import { openPage } from '../../lib/navigation.ts';
import { sendsEmail } from '../../lib/sendsEmail.ts';
import { toast } from '../../lib/toast.ts';
import { useSaving } from '../../lib/useSaving.ts';
import { AskedAlready } from './AskedAlready.tsx';
import { ByHandLink } from './ByHandLink.tsx';
import { calls } from './calls.ts';
import { ChosenClients } from './ChosenClients.tsx';
import type { RequestFields } from './Fields.tsx';
import { Fields, FIELDS_WITH_ERRORS } from './Fields.tsx';
import type { ChosenPeriods, Period } from './periods.ts';
import { periodChoices, fillPeriods, periodsIn, parseRows } from './periods.ts';
import { useErrorFocus } from './useErrorFocus.ts';

export interface AskDialogProps {
  /** The clients that are selected at first. */
  clients: readonly { id: number; name: string }[];
  onClose: () => void;
  onMade: (created: CreatedRequests) => void;
  /** Whether the toast offers to show the requests: where the screen does not list them. */
  offersToShow?: boolean;
}

const EMPTY = 'none';
const TEMPLATES = ['requests', 'templates'];
const LABELS: Record<Period, string> = { year: t.year, month: t.month, quarter: t.quarter };

/** The focus of a field that appears does not scroll to it. */
const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });

/** Creates the same request for documents for one or several clients. */
export default function AskDialog({
  clients: firstClients,
  onClose,
  onMade,
  offersToShow = false,
}: AskDialogProps) {
  const [clients, setClients] = useState(firstClients);
  const [typedClient, setTypedClient] = useState('');
  const [today] = useState(() => isoDateInIndia(Date.now()));
  const [choices] = useState(() => periodChoices(new Date()));
  const [period, setPeriod] = useState<ChosenPeriods>({
    year: choices.year[0]!,
    month: choices.month[0]!,
    quarter: choices.quarter[0]!,
  });
  const [templateId, setTemplateId] = useState(EMPTY);
  const [templateName, setTemplateName] = useState<string | null>(null);
  const [start] = useState<Omit<RequestFields, 'language'>>(() => ({
    title: '',
    rows: '',
    note: '',
    due_on: '',
    reminders: DEFAULT_REMINDERS,
  }));
  const [fields, setFields] = useState(start);
  /** Null until the user chooses one: each client is written to in their own. */
  const [language, setLanguage] = useState<Language | null>(null);
  /** What the template has filled in; a field with other content was edited. */
  const [filled, setFilled] = useState({ rows: '', title: '' });
  /** The request that was created, with its link to be sent by hand. */
  const [byHandRequest, setByHandRequest] = useState<{ title: string; link: RequestLink } | null>(null);
  const cache = useQueryClient();
  const { data: templates = [] } = useQuery({
    queryKey: TEMPLATES,
    queryFn: ({ signal }) => calls.templates(signal),
  });
  const template = templates.find(({ id }) => id === templateId);
  const { busy, fault, submit, edited } = useSaving(t.failed);
  const form = useErrorFocus(busy, fault?.errors);
  const templateForm = useId();
  const noClient = fault?.errors['client_ids']?.[0];
  const clientIds = clients.map(({ id }) => id);
  const { data: [clientLanguage = 'en', ...others] = [] } = useQuery({
    queryKey: ['clients', 'languages', ...clientIds],
    queryFn: ({ signal }) => calls.languages(clientIds, signal),
    enabled: clients.length > 0 && clients.length <= MAX_CLIENTS,
  });
  const set = ({ language: chosen, ...part }: Partial<RequestFields>) => {
    if (chosen) setLanguage(chosen);
    setFields((old) => ({ ...old, ...part }));
    edited(...Object.keys(part));
  };

  /** Fills in a template. An edited title is kept; an edited list only gives way when the user agrees. */
  async function applyTemplate(id: string, periods: ChosenPeriods): Promise<void> {
    const template = templates.find((candidate) => candidate.id === id);
    if (template) {
      const isEdited = (field: keyof typeof filled) =>
        fields[field].trim() !== '' && fields[field] !== filled[field];
      if (isEdited('rows') && !(await confirmDiscard(t.listReplaced))) return;
      const [named] = periodsIn(template.rows);
      const title = named ? `${template.name}, ${periods[named]}` : template.name;
      const rows = fillPeriods(template.rows, periods).join('\n');
      setFilled({ rows, title });
      set({ rows, ...(!isEdited('title') && { title }) });
    }
    setTemplateId(id);
    setPeriod(periods);
  }

  const send = submit(async () => {
    if (typedClient !== '') throw invalid({ client_ids: [t.notChosen(typedClient)] });
    const { rows, due_on, reminders, ...rest } = fields;
    const created = await calls.make({
      ...rest,
      ...(language && { language }),
      client_ids: clientIds,
      rows: parseRows(rows),
      due_on: due_on || null,
      reminders: due_on === '' ? { before: null, on: false, after: null } : reminders,
      send: true,
    });
    const byHand = created.without_email.length;
    const [request, ...more] = created.made;
    const address = request && more.length === 0 ? `/requests?client=${request.client.id}` : '/requests';
    const action = { label: t.showRequests, onClick: () => openPage(address) };
    const options = offersToShow ? { action } : {};
    const isByHand = !sendsEmail() || byHand > 0;
    // If it cannot be shown, it is copied from the request, as those of several.
    const link =
      request && more.length === 0 && isByHand ? await calls.link(request.id).catch(() => null) : null;
    if (request && link) setByHandRequest({ title: t.madeFor(request.client.name, request.title), link });
    else if (!sendsEmail()) toast.success(t.madeNoEmail(created.made.length), options);
    else if (byHand === 0) toast.success(t.made(created.made.length), options);
    else toast.warning(t.madeSomeByHand(created.made.length - byHand, byHand), options);
    // The clients keep the language.
    void refreshKeys(cache, ['requests'], ['clients'], ['client']);
    // Where no e-mail is sent, all links are sent by hand.
    onMade(sendsEmail() && !link ? created : { ...created, without_email: [] });
    if (!link) onClose();
  });
  const saveTemplate = submit(async () => {
    const name = (templateName ?? '').trim();
    const rows = parseRows(fields.rows);
    let saved;
    try {
      saved = await calls.saveTemplate(name, rows);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'template_exists') throw error;
      const question = { title: t.replaceTemplateQuestion(name), body: t.replaceTemplateAbout };
      const answers = { action: t.replaceTemplate, cancel: t.otherName, danger: true };
      if (!(await confirm({ ...question, ...answers }))) return;
      saved = await calls.saveTemplate(name, rows, true);
    }
    toast.success(t.templateSaved);
    setTemplateName(null);
    await refreshKeys(cache, TEMPLATES);
    setTemplateId(saved.id);
    setFilled((old) => ({ ...old, rows: fields.rows }));
  });
  const removeTemplate = submit(async () => {
    await calls.removeTemplate(templateId);
    toast.success(t.templateDeleted);
    setTemplateId(EMPTY);
    await refreshKeys(cache, TEMPLATES);
  });
  async function deleteTemplate(name: string): Promise<void> {
    const question = { title: t.deleteTemplateQuestion(name), body: t.deleteTemplateAbout };
    if (await confirm({ ...question, action: t.deleteTemplate, danger: true })) await removeTemplate();
  }

  const changed =
    typedClient !== '' ||
    JSON.stringify([clients, fields, language]) !== JSON.stringify([firstClients, start, null]);
  async function leave(): Promise<void> {
    if (busy) return;
    if (!changed || (await confirmDiscard(common.notSaved))) onClose();
  }

  if (byHandRequest)
    return (
      <Dialog title={byHandRequest.title} size="md" isOpen onOpenChange={onClose}>
        <ByHandLink link={byHandRequest.link} onDone={onClose} />
      </Dialog>
    );
  return (
    <Dialog title={t.newRequest} size="md" isOpen onOpenChange={() => void leave()} isUnsaved={changed}>
      <form ref={form} className="contents" noValidate onSubmit={(event) => void send(event)}>
        <DialogBody className="flex flex-col gap-4">
          <NoEmailAlert />
          {fault && !FIELDS_WITH_ERRORS.some((field) => fault.errors[field]) && <Alert>{fault.text}</Alert>}
          <div className="flex flex-col gap-2">
            <ClientPicker
              label={t.clients}
              placeholder={clients.length > 0 ? t.addClient : t.chooseClient}
              value={null}
              error={noClient}
              clearsOnSelect
              onTyped={(text) => {
                if (text !== typedClient) edited('client_ids');
                setTypedClient(text);
              }}
              onChange={(client) => {
                edited('client_ids');
                if (client && !clients.some(({ id }) => String(id) === client.id))
                  setClients([{ id: Number(client.id), name: client.label }, ...clients]);
              }}
            />
            {clients.length > 0 && <ChosenClients clients={clients} onChange={setClients} />}
          </div>
          <div className="flex flex-wrap items-end gap-2">
            <Select
              label={t.template}
              className="min-w-48 flex-1"
              options={[
                { id: EMPTY, label: t.noTemplate },
                ...templates.map(({ id, name, own }) => ({ id, label: own ? t.ownTemplate(name) : name })),
              ]}
              value={templateId}
              onChange={(key) => void applyTemplate(String(key), period)}
            />
            {template &&
              periodsIn(template.rows).map((periodKind) => (
                <Select
                  key={periodKind}
                  label={LABELS[periodKind]}
                  className="min-w-36"
                  options={choices[periodKind].map((label) => ({ id: label, label }))}
                  value={period[periodKind]}
                  onChange={(key) => void applyTemplate(templateId, { ...period, [periodKind]: String(key) })}
                />
              ))}
            {template?.own && (
              <IconButton label={t.deleteTemplate} onPress={() => void deleteTemplate(template.name)}>
                <Trash2 aria-hidden size={16} />
              </IconButton>
            )}
          </div>
          <Fields
            fields={{ ...fields, language: language ?? clientLanguage }}
            set={set}
            errors={fault?.errors}
            today={today}
            own={
              others.length > 0 ? { isChosen: language === null, choose: () => setLanguage(null) } : undefined
            }
          />
          {templateName !== null && (
            <div ref={scrollIntoView} className="flex scroll-mb-3 items-end gap-2">
              <TextField
                label={t.templateName}
                form={templateForm}
                className="flex-1"
                autoFocus
                maxLength={80}
                value={templateName}
                onChange={setTemplateName}
              />
              <Button type="submit" form={templateForm}>
                {t.save}
              </Button>
            </div>
          )}
        </DialogBody>
        <DialogFooter>
          <AskedAlready clients={clients} title={fields.title} />
          {templateName === null && (
            <Button
              variant="quiet"
              className="mr-auto max-sm:w-full max-sm:justify-start"
              isDisabled={parseRows(fields.rows).length === 0}
              onPress={() => setTemplateName(fields.title)}
            >
              {t.saveTemplate}
            </Button>
          )}
          <Button onPress={() => void leave()}>{common.cancel}</Button>
          <Button type="submit" variant="primary" busy={busy} {...(sendsEmail() && { busyLabel: t.sending })}>
            {(sendsEmail() ? t.send : t.create)(Math.max(1, clients.length))}
          </Button>
        </DialogFooter>
      </form>
      {/* Enter in the template's name saves the template; a form inside the other one is not allowed. */}
      <form id={templateForm} hidden noValidate onSubmit={(event) => void saveTemplate(event)} />
    </Dialog>
  );
}
