/** A bucket of an S3 server, a folder in the bucket, and the credentials for it. */
export interface S3Address {
  /** The address as shown to people: s3://bucket/folder. */
  address: string;
  bucket: string;
  /** The prefix of every key: '' or a folder that ends with a slash. */
  prefix: string;
  /** Without a slash at the end. */
  endpoint: string;
  region: string;
  keyId: string;
  secret: string;
}

const PLACE = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?$/;
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/;

/** A wrong value as an error message may show it: without the user and password of an address, since errors end up in logs. */
export const withoutLogin = (text: string): string =>
  text.replace(/^(?:([a-z][\w+.-]*:\/\/).*|.*:.*)@/is, '$1…@');

/** @returns null unless the address uses https, or http on this machine. */
function endpointOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, username, search, hash } = new URL(address);
  const safe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
  return safe && !username && !search && !hash ? address.replace(/\/+$/, '') : null;
}

/**
 * Parses `s3://bucket/folder?endpoint=…&region=…`. Defaults: Amazon's endpoint and `us-east-1`.
 * @param problems collects the errors, as sentences for the admin.
 */
export function parseS3Address(
  location: string,
  { keyId, secret }: Pick<S3Address, 'keyId' | 'secret'>,
  problems: string[],
): S3Address {
  const [place = '', query = '', ...more] = location.split('?');
  const [, bucket = '', folder = ''] = PLACE.exec(place) ?? [];
  const params = new URLSearchParams(query);
  if (bucket === '' || more.length > 0)
    problems.push(
      `should be like s3://bucket/folder?endpoint=https://s3.example.in&region=ap-south-1, but is "${withoutLogin(place)}".`,
    );
  for (const name of params.keys())
    if (name !== 'endpoint' && name !== 'region')
      problems.push(`knows endpoint and region, but not "${name}".`);
  const region = params.get('region') || 'us-east-1';
  if (!/^[\w-]+$/.test(region))
    problems.push(`names the region "${region}", which should be like ap-south-1.`);
  const endpointText = params.get('endpoint') || `https://s3.${region}.amazonaws.com`;
  const endpoint = endpointOf(endpointText);
  if (endpoint === null)
    problems.push(
      `names the endpoint "${withoutLogin(endpointText)}", which should be an https address (http only on this machine) such as https://s3.ap-south-1.amazonaws.com.`,
    );
  return {
    address: `s3://${bucket}${folder}`,
    bucket,
    prefix: folder === '' ? '' : `${folder.slice(1)}/`,
    endpoint: endpoint ?? '',
    region,
    keyId,
    secret,
  };
}
