import * as t from '#messages/filing.ts';
import { OneFieldDialog } from '../../components/OneFieldDialog.tsx';
import { filingCalls } from '../../lib/filing.ts';

interface PatternDialogProps {
  pattern: string;
  onClose: () => void;
  onSaved: () => void;
}

/** Edits the pattern for the names of filed documents. */
const PatternDialog = ({ pattern, onClose, onSaved }: PatternDialogProps) => (
  <OneFieldDialog
    title={t.patternTitle}
    field={{ name: 'pattern', label: t.pattern, description: t.patternHint, maxLength: 200 }}
    initial={pattern}
    action={t.save}
    onSave={(entered) => filingCalls.setPattern(entered).then(onSaved)}
    failed={t.patternFailed}
    isCatchAll
    onClose={onClose}
  />
);

export default PatternDialog;
