/** The S3 server refuses a request for good. The message tells the admin what to do. */
export class S3Refused extends Error {
  override name = 'S3Refused';
  /** S3's error code, such as NoSuchBucket. */
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The S3 server cannot be reached or is busy, and retries have failed. Later requests may succeed. */
export class S3Away extends Error {
  override name = 'S3Away';
}

const HINTS: [code: RegExp, says: (where: Where) => string][] = [
  [
    /^NoSuchBucket$/,
    ({ bucket, endpoint }) =>
      `There is no bucket "${bucket}" at ${endpoint}. Make it, or correct the address.`,
  ],
  [
    /^RequestTimeTooSkewed$/,
    ({ endpoint }) =>
      `${endpoint} refuses requests, since the clock of this machine and its own differ by more than 15 minutes. Set this clock right (sudo timedatectl set-ntp true).`,
  ],
  [
    /^InvalidAccessKeyId$/,
    ({ endpoint, keyId }) =>
      `${endpoint} does not know the key id "${keyId}". Check the key id of the bucket.`,
  ],
  [
    /^SignatureDoesNotMatch$/,
    ({ endpoint, keyId }) =>
      `${endpoint} refuses the signature of the key "${keyId}". Check the secret, and the region in the address.`,
  ],
  [
    /^(?:AuthorizationHeaderMalformed|PermanentRedirect|IllegalLocationConstraintException|TemporaryRedirect|MovedPermanently|301|307)$/,
    ({ bucket, region }) =>
      `The bucket "${bucket}" is not in the region "${region}". Put its region, and its endpoint, into the address.`,
  ],
  [
    /^(?:AccessDenied|AllAccessDisabled|AccountProblem|401|403)$/,
    ({ address, keyId }) =>
      `The key "${keyId}" may not use ${address}. It has to be allowed to read, write, list and delete there.`,
  ],
];

interface Where {
  address: string;
  bucket: string;
  endpoint: string;
  region: string;
  keyId: string;
}

/** Explains an error code to the admin, with what to do. */
export function refusal(where: Where, status: number, code: string): S3Refused {
  const known = code || String(status);
  const hint = HINTS.find(([of]) => of.test(known)) ?? HINTS.find(([of]) => of.test(String(status)));
  return new S3Refused(
    known,
    hint ? hint[1](where) : `${where.address} answers ${status}${code && ` ${code}`}.`,
  );
}
