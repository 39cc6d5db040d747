import type { KeyObject } from 'node:crypto';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { PasskeyCreationOptions, PasskeyRequestOptions } from '../auth/passkeys/contract.ts';

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 };

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const text = (data: Buffer) => data.toString('base64url');
const bytes = (data: Buffer) => new Uint8Array(data);

/** A software authenticator with one passkey, in place of Windows Hello or a phone. */
export class Authenticator {
  readonly id = text(randomBytes(32));
  /** Signature counter; 0 for a device that does not count. */
  counter = 0;
  /** Whether the user was verified by fingerprint or PIN. */
  verifies = true;
  userHandle = '';
  #site = '';
  readonly #origin: string;
  readonly #key: KeyObject;
  readonly #point: { x?: string; y?: string };

  constructor(origin: string) {
    this.#origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    this.#point = publicKey.export({ format: 'jwk' });
  }

  #about(flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const verified = this.verifies ? FLAGS.verified : 0;
    return Buffer.concat([sha256(this.#site), Buffer.from([FLAGS.present | verified | flags]), counter]);
  }

  #client(type: string, challenge: string, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  /** The result of `navigator.credentials.create`. */
  create({ challenge, rp, user }: PasskeyCreationOptions, origin = this.#origin) {
    this.#site = rp.id ?? '';
    this.userHandle = user.id;
    const id = Buffer.from(this.id, 'base64url');
    const point = (part: string | undefined) => bytes(Buffer.from(part ?? '', 'base64url'));
    const cose = new Map<number, number | Uint8Array<ArrayBuffer>>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point(this.#point.x)],
      [-3, point(this.#point.y)],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const attested = [Buffer.alloc(16), length, id, Buffer.from(isoCBOR.encode(cose))];
    const authData = Buffer.concat([this.#about(FLAGS.attested), ...attested]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', bytes(authData)],
    ]);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: text(this.#client('webauthn.create', challenge, origin)),
        attestationObject: text(Buffer.from(isoCBOR.encode(attestation as never))),
        transports: ['internal'],
      },
    };
  }

  /** The result of `navigator.credentials.get`. */
  sign({ challenge }: PasskeyRequestOptions, origin = this.#origin) {
    const client = this.#client('webauthn.get', challenge, origin);
    const about = this.#about(0);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: text(client),
        authenticatorData: text(about),
        signature: text(sign('sha256', Buffer.concat([about, sha256(client)]), this.#key)),
        userHandle: this.userHandle,
      },
    };
  }
}
