'use client';
import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Scrolls sideways when its content is too wide, and is a stop of the Tab key only then: nothing else could scroll it by keyboard. */
export function ScrollBox({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  const box = useRef<HTMLElement>(null);
  const [isTooWide, setTooWide] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setTooWide(element.scrollWidth > element.clientWidth));
    for (const observed of [element, ...element.children]) observer.observe(observed);
    return () => observer.disconnect();
  }, []);
  return (
    <section ref={box} aria-label={label} tabIndex={isTooWide ? 0 : -1} className={className}>
      {children}
    </section>
  );
}
