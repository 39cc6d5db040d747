import type { ReactNode } from 'react';

export interface SectionProps {
  /** The fragment of the link in the list of sections. */
  id: string;
  title: string;
  about: ReactNode;
  children: ReactNode;
}

export function Section({ id, title, about, children }: SectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-4 gap-x-10 gap-y-5 border-t border-line py-8 first:border-t-0 first:pt-0 xl:grid-cols-[15rem_minmax(0,34rem)]"
    >
      <div>
        <h2 id={`${id}-title`} className="text-lg font-semibold">
          {title}
        </h2>
        <p className="mt-1 max-w-[34rem] text-pretty text-muted">{about}</p>
      </div>
      <div className="min-w-0 max-w-[34rem]">{children}</div>
    </section>
  );
}
