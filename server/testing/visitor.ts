/** A received response. */
export interface TestResponse {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; `{}` when it is not JSON. */
  // eslint-disable-next-line typescript/no-explicit-any -- a test looks at what came, whatever that is
  json: any;
}

export interface Call {
  /** Sent as JSON; strings and bytes are sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
}

/**
 * An HTTP client with a cookie jar, which repeats the CSRF token like a browser's code. It does not store
 * bearer tokens.
 */
export class Visitor {
  readonly base: string;
  readonly jar = new Map<string, string>();

  constructor(base: string) {
    this.base = base;
  }

  async call(method: string, path: string, { body, headers = {} }: Call = {}): Promise<TestResponse> {
    const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const xsrf = this.jar.get('XSRF-TOKEN');
    const response = await fetch(this.base + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(cookie && { cookie }),
        ...(xsrf && { 'x-xsrf-token': xsrf }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: sent }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.jar.delete(name);
      else this.jar.set(name, value);
    }
    const text = await response.text();
    const isJson = text !== '' && response.headers.get('content-type')?.includes('json');
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
  }

  get = (path: string, call?: Call): Promise<TestResponse> => this.call('GET', path, call);
  post = (path: string, body?: unknown, call: Call = {}): Promise<TestResponse> =>
    this.call('POST', path, { ...call, ...(body !== undefined && { body }) });
  put = (path: string, body: unknown): Promise<TestResponse> => this.call('PUT', path, { body });

  /** Fetches the CSRF cookie, like the sign-in page. */
  async arrive(): Promise<this> {
    await this.get('/sanctum/csrf-cookie');
    return this;
  }
}

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
