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

export const toPasskeyView = ({
  id,
  name,
  backed_up,
  created_at,
  last_used_at,
}: PasskeyRow): PasskeyView => ({
  id,
  name,
  backed_up: Boolean(backed_up),
  created_at,
  last_used_at,
});

/** A `PublicKeyCredentialDescriptor`. */
export const descriptorOf = ({ credential_id, transports }: PasskeyRow) => ({
  id: credential_id,
  transports: JSON.parse(transports) as string[],
});

/** Copies into a buffer of its own: a Node `Buffer` may share a pool, and the WebAuthn library does not accept it. */
export const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'));

/** COSE identifiers of Ed25519, ES256 and RS256; every device supports at least one. */
export const ALGORITHMS = [-8, -7, -257];

// Loaded on first use: the library is large and few requests need it.
export const webauthn = () => import('@simplewebauthn/server');
