import { useState } from 'react';
import type { ClientType } from '#server/clients/contract.ts';
import { CLIENT_TYPES } from '#server/clients/contract.ts';
import type { AppliesTo, CountsFrom, RuleView } from '#server/documents/retention/contract.ts';
import { APPLIES_TO, COUNTS_FROM, RULE_NAME_MAX, SOURCE_MAX } from '#server/documents/retention/contract.ts';
import { types as clientTypes } from '#messages/clients.ts';
import * as t from '#messages/retention.ts';
import { Button } from '../../components/Button.tsx';
import { FormDialog } from '../../components/FormDialog.tsx';
import { Select } from '../../components/Select.tsx';
import { TextArea } from '../../components/TextArea.tsx';
import { TextField } from '../../components/TextField.tsx';
import { confirm } from '../../lib/confirm.ts';
import { truncateMiddle } from '../../lib/truncateMiddle.ts';
import { formatPeriod, retentionCalls } from '../../lib/retention.ts';
import { toast } from '../../lib/toast.ts';
import { useForm } from '../../lib/useForm.ts';
import { FolderDialog } from '../items/dialogs/FolderDialog.tsx';
import { useLabels } from '../labels/calls.ts';
import { OWN, PRESETS } from './presets.ts';

interface RuleDialogProps {
  /** Null for a new rule. */
  rule: RuleView | null;
  onDone: () => Promise<unknown>;
  onClose: () => void;
}

const NONE = new Set<number>();

/** Creates or edits a rule; a new rule can start from a preset. */
export default function RuleDialog({ rule, onDone, onClose }: RuleDialogProps) {
  const inYears = rule === null || rule.months % 12 === 0;
  const form = useForm({
    name: rule?.name ?? '',
    source: rule?.source ?? '',
    months: rule ? String(inYears ? rule.months / 12 : rule.months) : '',
    client_type: '',
    item_id: '',
    label_id: '',
  });
  const [preset, setPreset] = useState(OWN);
  const [unit, setUnit] = useState<'years' | 'months'>(inYears ? 'years' : 'months');
  const [appliesTo, setAppliesTo] = useState<AppliesTo>(rule?.applies_to ?? 'everything');
  const [countsFrom, setCountsFrom] = useState<CountsFrom>(rule?.counts_from ?? 'year_end');
  const [type, setType] = useState<ClientType | null>(rule?.client_type ?? null);
  const [label, setLabel] = useState<number | null>(rule?.label_id ?? null);
  const [folder, setFolder] = useState<{ id: number; name: string } | null>(
    rule?.item_id && rule.of !== null ? { id: rule.item_id, name: rule.of } : null,
  );
  const [choosing, setChoosing] = useState(false);
  const labels = useLabels();
  const hasNoLabels = labels.data?.length === 0;
  const { name: typedName, source: typedSource, ...typed } = form.values;
  /** What the rule keeps, and for how long. */
  const effect = JSON.stringify([typed, unit, appliesTo, countsFrom, type, label, folder?.id]);
  const current = [effect, typedName, typedSource].join('\n');
  const [start] = useState({ current, effect });

  function applyPreset(key: string): void {
    setPreset(key);
    const preset = PRESETS.find(({ id }) => id === key);
    if (!preset) return;
    const years = preset.months % 12 === 0;
    setUnit(years ? 'years' : 'months');
    setAppliesTo(preset.applies_to);
    setCountsFrom(preset.counts_from);
    if (preset.client_type) setType(preset.client_type);
    form.reset({
      ...form.values,
      name: preset.name,
      source: preset.source,
      months: String(years ? preset.months / 12 : preset.months),
    });
  }

  async function save() {
    const { name, source, months } = form.values;
    const count = Number(months);
    const errors = {
      ...(!name.trim() && { name: t.nameRequired }),
      ...((!Number.isInteger(count) || count < 1) && { months: t.periodRequired }),
      ...(appliesTo === 'client_type' && !type && { client_type: t.chooseClientType }),
      ...(appliesTo === 'folder' && !folder && { item_id: t.folderRequired }),
      ...(appliesTo === 'label' && !label && { label_id: hasNoLabels ? t.noLabels : t.chooseLabel }),
    };
    if (Object.keys(errors).length > 0) return form.showErrors(errors);
    const input = {
      name: name.trim(),
      source: source.trim(),
      applies_to: appliesTo,
      months: unit === 'years' ? count * 12 : count,
      counts_from: countsFrom,
      client_type: type,
      item_id: folder?.id ?? null,
      label_id: label,
    };
    if (!rule || effect !== start.effect) {
      const { files } = await retentionCalls.reach(input);
      const question = {
        title: t.keepQuestion(files, formatPeriod(input.months)),
        body: t.keepAbout,
        action: rule ? t.save : t.add,
      };
      if (files > 0 && !(await confirm(question))) return undefined;
    }
    const saved = rule ? await retentionCalls.change(rule.id, input) : await retentionCalls.add(input);
    await onDone();
    toast.success(rule ? t.changed(truncateMiddle(saved.name)) : t.added(truncateMiddle(saved.name)));
    return onClose();
  }

  return (
    <>
      <FormDialog
        title={rule ? t.changeTitle(truncateMiddle(rule.name)) : t.addTitle}
        form={form}
        onSubmit={form.submit(save, t.saveFailed)}
        onClose={onClose}
        keepsTyped
        isUnsaved={current !== start.current}
        action={rule ? t.save : t.add}
      >
        {!rule && (
          <Select
            label={t.preset}
            options={[{ id: OWN, label: t.ownRule }, ...PRESETS.map(({ id, name }) => ({ id, label: name }))]}
            value={preset}
            onChange={(key) => applyPreset(String(key))}
            {...(preset !== OWN && { description: t.presetCheck })}
          />
        )}
        <TextField
          label={t.name}
          {...form.field('name')}
          maxLength={RULE_NAME_MAX}
          autoComplete="off"
          autoFocus
        />
        <Select
          label={t.scope}
          options={APPLIES_TO.map((id) => ({ id, label: t.appliesTo[id] }))}
          value={appliesTo}
          onChange={(key) => setAppliesTo(key as AppliesTo)}
        />
        {appliesTo === 'client_type' && (
          <Select
            label={t.clientType}
            options={CLIENT_TYPES.map((id) => ({ id, label: clientTypes[id] }))}
            value={type}
            onChange={(key) => {
              setType(key as ClientType);
              form.edit('client_type', '');
            }}
            placeholder={t.chooseClientType}
            error={form.errors.client_type}
          />
        )}
        {appliesTo === 'label' && (
          <Select
            label={t.label}
            options={(labels.data ?? []).map(({ id, name }) => ({ id, label: name }))}
            value={label}
            onChange={(key) => {
              setLabel(Number(key));
              form.edit('label_id', '');
            }}
            placeholder={t.chooseLabel}
            error={form.errors.label_id}
            {...(hasNoLabels && { description: t.noLabels })}
          />
        )}
        {appliesTo === 'folder' && (
          <div className="flex flex-col items-start gap-1.5">
            <span className="text-sm font-medium">{t.folder}</span>
            <Button onPress={() => setChoosing(true)}>{folder ? folder.name : t.chooseFolder}</Button>
            {form.errors.item_id && <p className="text-sm text-danger-text">{form.errors.item_id}</p>}
          </div>
        )}
        <div className="flex items-start gap-3">
          <TextField
            label={t.keepFor}
            {...form.field('months')}
            inputMode="numeric"
            autoComplete="off"
            className="w-28"
          />
          <Select
            label={t.unit}
            options={[
              { id: 'years', label: t.inYears },
              { id: 'months', label: t.inMonths },
            ]}
            value={unit}
            onChange={(key) => setUnit(key as 'years' | 'months')}
            className="w-36"
          />
        </div>
        <Select
          label={t.from}
          {...(countsFrom !== 'said_day' && { description: t.fromHint })}
          options={COUNTS_FROM.map((id) => ({ id, label: t.countsFrom[id] }))}
          value={countsFrom}
          onChange={(key) => setCountsFrom(key as CountsFrom)}
        />
        <TextArea
          label={t.source}
          description={t.sourceHint}
          {...form.field('source')}
          maxLength={SOURCE_MAX}
        />
      </FormDialog>
      {/* Above the rule, of which it keeps what was typed, and outside its form. */}
      {choosing && (
        <FolderDialog
          title={t.chooseFolder}
          startId={null}
          excluded={NONE}
          isCurrent={(id) => id === null}
          currentLabel={t.folderRequired}
          label={t.folderChosen}
          onChoose={async ({ id, name }) => {
            if (id !== null) setFolder({ id, name });
            form.edit('item_id', '');
            setChoosing(false);
            return false;
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}
