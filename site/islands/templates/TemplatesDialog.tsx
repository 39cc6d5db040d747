import { useState } from 'react';
import type { TemplateView } from '#server/templates/contract.ts';
import { ApplyDialog } from './ApplyDialog.tsx';
import { EditorDialog } from './EditorDialog.tsx';
import { ManageDialog } from './ManageDialog.tsx';
import { useTemplates } from './useTemplates.ts';

export interface TemplatesDialogProps {
  /** At least one. */
  clients: readonly { id: number; name: string }[];
  onClose: () => void;
  /** Folders were created. */
  onDone?: () => void;
}

/** What is edited: a template of the firm's own, or a new one that begins as a copy. */
export type Draft = Pick<TemplateView, 'name' | 'outline' | 'version'> & { id: string | null };

type Step = { at: 'apply' } | { at: 'manage' } | { at: 'edit'; draft: Draft };

/** Creates folders for clients by a template; the templates themselves are kept in the steps behind it. */
export default function TemplatesDialog({ clients, onClose, onDone }: TemplatesDialogProps) {
  const templates = useTemplates();
  const [chosen, choose] = useState('income-tax');
  const [step, go] = useState<Step>({ at: 'apply' });
  if (step.at === 'edit')
    return (
      <EditorDialog
        draft={step.draft}
        onClose={() => go({ at: 'manage' })}
        onSaved={(saved) => {
          choose(saved.id);
          void templates.reload();
          go({ at: 'manage' });
        }}
      />
    );
  if (step.at === 'manage')
    return (
      <ManageDialog
        templates={templates}
        onClose={() => go({ at: 'apply' })}
        onEdit={(draft) => go({ at: 'edit', draft })}
      />
    );
  return (
    <ApplyDialog
      clients={clients}
      templates={templates}
      chosen={chosen}
      choose={choose}
      onManage={() => go({ at: 'manage' })}
      onClose={onClose}
      {...(onDone && { onDone })}
    />
  );
}
