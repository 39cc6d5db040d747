import * as v from 'valibot';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { fieldRules } from '../contract.ts';
import { typedLine } from '#server/text/typed.ts';

export const PASSKEY_NAME_MAX = 60;
/** Passkeys per user. */
export const MAX_PASSKEYS = 20;

/** A passkey as its owner sees it. */
export interface PasskeyView {
  id: number;
  name: string;
  /**
   * Whether the device maker synchronises the passkey, as iCloud Keychain does, so that it survives the loss of the
   * device.
   */
  backed_up: boolean;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC; null before the first use. */
  last_used_at: string | null;
}

/** The options for `navigator.credentials.create` and `navigator.credentials.get`. */
export type PasskeyCreationOptions = PublicKeyCredentialCreationOptionsJSON;
export type PasskeyRequestOptions = PublicKeyCredentialRequestOptionsJSON;

/** The response to a new passkey; the first one brings recovery codes, which are shown once. */
export interface PasskeyAdded {
  passkey: PasskeyView;
  recovery_codes: string[] | null;
}

const NAME = 'Say which device it is, such as "Office laptop"';
const BROKEN = 'The answer of the browser is not complete. Please try again.';
const boundedText = v.pipe(v.string(BROKEN), v.maxLength(20_000, BROKEN));

const name = v.pipe(
  v.string(NAME),
  v.transform(typedLine),
  v.nonEmpty(NAME),
  v.maxLength(PASSKEY_NAME_MAX, `A name can have at most ${PASSKEY_NAME_MAX} characters.`),
);

/** Checks the shape only: the WebAuthn library verifies the content. */
const commonFields = {
  id: boundedText,
  rawId: boundedText,
  type: v.literal('public-key', BROKEN),
  clientExtensionResults: v.optional(v.record(v.string(), v.unknown()), {}),
  authenticatorAttachment: v.optional(v.nullable(boundedText)),
};
const attestation = v.object(
  {
    ...commonFields,
    response: v.object(
      {
        clientDataJSON: boundedText,
        attestationObject: boundedText,
        transports: v.optional(v.pipe(v.array(boundedText, BROKEN), v.maxLength(10, BROKEN)), []),
      },
      BROKEN,
    ),
  },
  BROKEN,
);
const assertion = v.object(
  {
    ...commonFields,
    response: v.object(
      {
        clientDataJSON: boundedText,
        authenticatorData: boundedText,
        signature: boundedText,
        userHandle: v.optional(v.nullable(boundedText)),
      },
      BROKEN,
    ),
  },
  BROKEN,
);

const asRegistrationResponse = (response: v.InferOutput<typeof attestation>) =>
  response as RegistrationResponseJSON;
const asAuthenticationResponse = (response: v.InferOutput<typeof assertion>) =>
  response as AuthenticationResponseJSON;

export const newPasskey = v.object({
  name,
  response: v.pipe(attestation, v.transform(asRegistrationResponse)),
});
export type NewPasskey = v.InferOutput<typeof newPasskey>;
export const passkeyName = v.object({ name });
export const passkeyRemoval = v.object({ current_password: fieldRules.current_password });

/** `challenge` belongs to a sign-in whose password was correct, for its second step. */
export const passkeyRequest = v.object({ challenge: v.optional(boundedText) });
/** Exactly one of the three proves the user's identity again. */
export const identityProof = v.object({
  current_password: v.optional(fieldRules.current_password),
  code: v.optional(
    v.pipe(
      v.string('Enter the code'),
      v.trim(),
      v.nonEmpty('Enter the code'),
      v.maxLength(40, 'This code is too long'),
    ),
  ),
  response: v.optional(v.pipe(assertion, v.transform(asAuthenticationResponse))),
});
export type IdentityProof = v.InferOutput<typeof identityProof>;
export const passkeyResponse = v.object({
  response: v.pipe(assertion, v.transform(asAuthenticationResponse)),
});
