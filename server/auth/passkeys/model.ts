import type { PasskeyView } from './contract.ts';

export interface PasskeyRow {
  id: number;
  user_id: number;
  name: string;
  /** base64url. */
  credential_id: string;
  /** COSE. */
  public_key: Buffer;
  counter: number;
  /** A JSON list. */
  transports: string;
  /** base64url. */
  user_handle: string;
  backed_up: number | boolean;
  created_at: string;
  last_used_at: string | null;
}

export const viewOfRow = ({ id, name, backed_up, created_at, last_used_at }: PasskeyRow): PasskeyView => ({
  id,
  name,
  backed_up: Boolean(backed_up),
  created_at,
  last_used_at,
});

/** As options name a passkey that is there already. */
export const named = ({ credential_id, transports }: PasskeyRow) => ({
  id: credential_id,
  transports: JSON.parse(transports) as string[],
});

/** Bytes in memory of their own, as WebAuthn's library takes them. */
export const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'));

/** Ed25519, ECDSA and RSA, which all devices know between them. */
export const ALGORITHMS = [-8, -7, -257];

// Needed by few requests, and large: loaded with the first of them.
export const webauthn = () => import('@simplewebauthn/server');
