import type { KeyObject } from 'node:crypto';
import { verify } from 'node:crypto';
import type { RecognisedCode } from '#server/recognition/contract.ts';
import type { Combined } from './combine.ts';
import type { CodeView, RecordCell, SignatureState } from './contract.ts';
import { nameOf } from './names.ts';

/** A public key of an Invoice Registration Portal, and its name on this server. */
export interface SigningKey {
  name: string;
  key: KeyObject;
}

function algorithmOf(header: string): unknown {
  try {
    return (JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg?: unknown }).alg;
  } catch {
    return undefined;
  }
}

/**
 * Checks the signature of a compact JWS, by RS256 only: a token with another algorithm, or none, counts as unsigned.
 */
export function signatureOf(
  token: string,
  keys: readonly SigningKey[],
): { signature: SignatureState; key: string | null } {
  const [header = '', payload = '', signature = ''] = token.split('.');
  if (algorithmOf(header) !== 'RS256') return { signature: 'unsigned', key: null };
  if (keys.length === 0) return { signature: 'no_key', key: null };
  const signed = Buffer.from(`${header}.${payload}`);
  const bytes = Buffer.from(signature, 'base64url');
  const signer = keys.find(({ key }) => verify('RSA-SHA256', signed, key, bytes));
  return signer ? { signature: 'checked', key: signer.name } : { signature: 'mismatch', key: null };
}

/** Codes for the screen. Signatures are checked on request, so that a new key takes effect immediately. */
export const codeViews = (codes: readonly RecognisedCode[], keys: readonly SigningKey[]): CodeView[] =>
  codes.map(({ page, box, token, said }) => ({ page, box, ...signatureOf(token, keys), said }));

const STATE_TEXTS: Record<SignatureState, string> = {
  checked: 'Signature checked with key',
  no_key: 'Signature not checked: no key',
  mismatch: 'Signature does not match',
  unsigned: 'Not signed',
};

/** Rows for a table of all values, see `RECORD_HEADINGS`: one per code. */
export const signatureLines = (
  { type, period, codes }: Combined,
  keys: readonly SigningKey[],
): RecordCell[][] =>
  codeViews(codes, keys).map(({ page, signature, key }) => [
    type.value && nameOf(type.value),
    period.value,
    'QR code',
    [STATE_TEXTS[signature], key].filter(Boolean).join(' '),
    null,
    page,
    null,
    null,
    null,
  ]);
