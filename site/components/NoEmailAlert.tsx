import * as common from '#messages/common.ts';
import { sendsEmail } from '../lib/sendsEmail.ts';
import { Alert } from './Alert.tsx';

/** Warns in a dialog that this server sends no e-mail; renders nothing when e-mail is set up. */
export function NoEmailAlert({ text = common.noEmail }: { text?: string }) {
  return sendsEmail() ? null : <Alert tone="warning">{text}</Alert>;
}
