import * as common from '#messages/common.ts';
import { sendsEmail } from '../lib/sendsEmail.ts';
import { Alert } from './Alert.tsx';

/** Said before somebody counts on an e-mail that nobody would get; nothing where e-mail is set up. For dialogs. */
export function NoEmail({ text = common.noEmail }: { text?: string }) {
  return sendsEmail() ? null : <Alert tone="warning">{text}</Alert>;
}
