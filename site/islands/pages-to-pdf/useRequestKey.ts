import { useRef } from 'react';
import { uuid } from './uuid.ts';

/** Gives a request a key, which stays the same until something else is requested. */
export function useRequestKey(): (request: string) => string {
  const last = useRef({ request: '', key: '' });
  return (request) => {
    if (last.current.request !== request) last.current = { request, key: uuid() };
    return last.current.key;
  };
}
