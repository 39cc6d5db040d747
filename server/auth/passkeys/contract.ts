import * as v from 'valibot';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { fieldRules } from '../contract.ts';

export const PASSKEY_NAME_MAX = 60;
/** Passkeys that one person may have. */
export const PASSKEYS_MOST = 20;

/** A passkey as its owner sees it. */
export interface PasskeyView {
  id: number;
  name: string;
  /** Whether a copy lies with the maker of the device, as in an iCloud keychain, so that losing the device does not lose it. */
  backed_up: boolean;
  /** ISO 8601, UTC; the second is null before the first use. */
  created_at: string;
  last_used_at: string | null;
}

/** What a browser is to make a passkey of, and what it is to sign. */
export type PasskeyCreation = PublicKeyCredentialCreationOptionsJSON;
export type PasskeyQuestion = PublicKeyCredentialRequestOptionsJSON;

/** What adding a passkey answers; recovery codes come with the first one, this once. */
export interface PasskeyAdded {
  passkey: PasskeyView;
  recovery_codes: string[] | null;
}

const NAME = 'Say which device it is, such as "Office laptop"';
const BROKEN = 'The answer of the browser is not complete. Please try again.';
const part = v.pipe(v.string(BROKEN), v.maxLength(20_000, BROKEN));

const name = v.pipe(
  v.string(NAME),
  v.transform((text) => text.normalize('NFC').replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu, ' ')),
  v.trim(),
  v.nonEmpty(NAME),
  v.maxLength(PASSKEY_NAME_MAX, `A name can have at most ${PASSKEY_NAME_MAX} characters.`),
);

/** What only WebAuthn’s own library can judge is handed on; here is no more than its shape. */
const answered = {
  id: part,
  rawId: part,
  type: v.literal('public-key', BROKEN),
  clientExtensionResults: v.optional(v.record(v.string(), v.unknown()), {}),
  authenticatorAttachment: v.optional(v.nullable(part)),
};
const created = v.object(
  {
    ...answered,
    response: v.object(
      {
        clientDataJSON: part,
        attestationObject: part,
        transports: v.optional(v.pipe(v.array(part, BROKEN), v.maxLength(10, BROKEN)), []),
      },
      BROKEN,
    ),
  },
  BROKEN,
);
const signed = v.object(
  {
    ...answered,
    response: v.object(
      {
        clientDataJSON: part,
        authenticatorData: part,
        signature: part,
        userHandle: v.optional(v.nullable(part)),
      },
      BROKEN,
    ),
  },
  BROKEN,
);

const asCreated = (response: v.InferOutput<typeof created>) => response as RegistrationResponseJSON;
const asSigned = (response: v.InferOutput<typeof signed>) => response as AuthenticationResponseJSON;

export const newPasskey = v.object({ name, response: v.pipe(created, v.transform(asCreated)) });
export type NewPasskey = v.InferOutput<typeof newPasskey>;
export const passkeyName = v.object({ name });
export const passkeyRemoval = v.object({ current_password: fieldRules.current_password });

/** `challenge` is that of a sign-in whose password was right, for its second step. */
export const passkeyQuestion = v.object({ challenge: v.optional(part) });
/** One of the three, by which a person proves again who they are. */
export const proofGiven = v.object({
  current_password: v.optional(fieldRules.current_password),
  code: v.optional(
    v.pipe(
      v.string('Enter the code'),
      v.trim(),
      v.nonEmpty('Enter the code'),
      v.maxLength(40, 'This code is too long'),
    ),
  ),
  response: v.optional(v.pipe(signed, v.transform(asSigned))),
});
export type ProofGiven = v.InferOutput<typeof proofGiven>;
export const passkeyAnswer = v.object({ response: v.pipe(signed, v.transform(asSigned)) });
