import { useState } from 'react';
import type { TemplateView } from '#server/templates/contract.ts';
import { ApplyDialog } from './ApplyDialog.tsx';
import { EditorDialog } from './EditorDialog.tsx';
import { ManageDialog } from './ManageDialog.tsx';
import { useTemplates } from './useTemplates.ts';

export interface TemplatesDialogProps {
  /** At least one client. */
  clients: readonly { id: number; name: string }[];
  onClose: () => void;
  /** Called after folders were created. */
  onDone?: () => void;
}

/** The template being edited: one of the firm's, or a new one. */
export type Draft = Pick<TemplateView, 'name' | 'outline' | 'version'> & { id: string | null };

type Step = { at: 'apply' } | { at: 'manage' } | { at: 'edit'; draft: Draft };

/** Creates folders for clients from a template; further steps manage and edit the templates. */
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
