const PREFIX = 'urn:ietf:params:acme:error:';

/** A refusal of the authority as RFC 8555 (6.7) describes it. */
interface AcmeProblem {
  /** Without the prefix, such as `rateLimited`. */
  type: string;
  /** About a request of this server, or about what the authority found when it asked for the challenge. */
  of: 'request' | 'challenge';
}

const UNREACHED = ['connection', 'tls', 'incorrectResponse', 'unauthorized'];
const NO_ACCOUNT = ['accountDoesNotExist', 'unauthorized', 'badPublicKey', 'badSignatureAlgorithm'];

/** What the admin can do about it; undefined where the words of the authority are all there is to say. */
function remedyOf({ type, of }: AcmeProblem, name: string): string | undefined {
  if (of === 'challenge' && UNREACHED.includes(type))
    return `The authority has to reach this server at http://${name}/ on port 80: look at the address of the name, the router and the firewall, and whether another program answers there.`;
  if (of === 'request' && NO_ACCOUNT.includes(type))
    return 'The authority does not accept the account of this server. Stop the server, delete acme-account.key in the folder "tls" of DATA_DIR, and start it: it makes a new one.';
  switch (type) {
    case 'rateLimited':
      return 'That is a limit of the authority, which only time lifts: nothing has to be done, and trying more often makes it longer.';
    case 'caa':
      return `A CAA record of the domain forbids it. At the name server of ${name}, permit this authority (Let's Encrypt: letsencrypt.org), or delete the record.`;
    case 'dns':
      return `The authority does not find the name. At its name server, let ${name} lead to the public address of this office (an A record, or AAAA for IPv6).`;
    case 'invalidContact':
    case 'unsupportedContact':
      return 'The authority does not accept CONTACT_EMAIL: set it to an address that takes e-mails, or leave it out.';
    case 'rejectedIdentifier':
    case 'unsupportedIdentifier':
      return 'The authority issues no certificate for this name: set BASE_URL to another, or TLS_CERT and TLS_KEY to a certificate that you have from elsewhere.';
    case 'externalAccountRequired':
    case 'userActionRequired':
      return 'The authority wants an account that a person has set up with it, which this server cannot do: set ACME_URL to another authority.';
    case 'serverInternal':
      return 'That is a fault at the authority: nothing has to be done here.';
    default:
      return undefined;
  }
}

/** The parts of a response that may tell of a problem; RFC 7807 and RFC 8555. */
interface ProblemBody {
  type?: unknown;
  detail?: unknown;
  subproblems?: unknown;
  /** Of a challenge or an order that is invalid. */
  error?: ProblemBody;
}

/** Collects the problems in responses, because the library's errors have only their text. */
export function createProblems() {
  const seen = new Map<string, AcmeProblem>();

  return {
    note<T extends { data?: unknown }>(response: T): T {
      const body = response.data as ProblemBody | null | undefined;
      const [problem, of] = body?.error ? [body.error, 'challenge' as const] : [body, 'request' as const];
      // `compound` is only a heading of several.
      const [sub] = Array.isArray(problem?.subproblems) ? (problem.subproblems as ProblemBody[]) : [];
      const type = problem?.type === `${PREFIX}compound` ? sub?.type : problem?.type;
      if (typeof type === 'string' && type.startsWith(PREFIX) && typeof problem?.detail === 'string')
        seen.set(problem.detail.replaceAll('\n', ''), { type: type.slice(PREFIX.length), of });
      return response;
    },

    /** An error of the library in a sentence, with what the admin can do about it. */
    inWords({ message }: Error, name: string): string {
      const problem = seen.get(message);
      const said = /[.!?]$/.test(message) ? message : `${message}.`;
      if (problem) return [said, remedyOf(problem, name)].filter(Boolean).join(' ');
      return /ACME directory/.test(message)
        ? `${said} ACME_URL has to be the directory of an ACME authority.`
        : said;
    },
  };
}
