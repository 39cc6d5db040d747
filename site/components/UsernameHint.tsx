/** A hidden username field, which tells password managers whose password the next field asks for. */
export const UsernameHint = ({ email }: { email: string }) => (
  <input
    className="sr-only"
    tabIndex={-1}
    aria-hidden="true"
    readOnly
    autoComplete="username"
    value={email}
  />
);
