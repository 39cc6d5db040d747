type Environment = Record<string, string | undefined>;

/**
 * The environment with a problem reported for each setting read from it whose value stands in quotation marks. systemd and shells remove
 * them, Docker's --env-file does not: a quoted DATA_DIR would be another folder, so an empty vault under a new key. Settings are returned
 * without the marks, so that one mistake is one problem; the value may be a secret, so the message does not repeat it.
 */
export function withoutQuotes(env: Environment, problems: string[]): Environment {
  const reported = new Set<string>();
  return new Proxy(env, {
    get(target, name: string) {
      const value = target[name];
      const [, mark, inner] = /^\s*(["'])(.*)\1\s*$/s.exec(value ?? '') ?? [];
      if (mark === undefined || inner === undefined || inner.includes(mark)) return value;
      if (!reported.has(name))
        problems.push(
          `${name} is in quotation marks, which would be part of its value. Write it without them.`,
        );
      reported.add(name);
      return inner;
    },
  });
}
